# Both stages can be pinned to a digest (docs/operations.md, "The image").
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
COPY panel/package.json panel/
COPY sample/package.json sample/
# Install scripts of packages are not needed for the build, and not run.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts && rm -r node_modules/@tenantry && find dist -name '*.map' -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
# Threads that hash passwords share their memory (docs/operations.md).
ENV MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# The user "node" by its number, so that a cluster can verify that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT||3000}/api/v1/health/live`).then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--max-old-space-size=512", "--max-semi-space-size=16", "--v8-pool-size=0", "dist/src/main.js"]
