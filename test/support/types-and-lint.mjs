// Checks types and lints with one program of TypeScript, because making it takes longest.
// Standard input: {"types": [files], "lint": [files], "texts": {"file": "what to read instead"}}.
// Prints what is wrong as a list of {file, line, rule, message}.
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';
import ts from 'typescript';

const { types = [], lint = [], texts = {} } = JSON.parse(await text(process.stdin));
const given = new Map(Object.entries(texts).map(([file, content]) => [resolve(file), content]));

const { config } = ts.readConfigFile('tsconfig.json', (file) => ts.sys.readFile(file));
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, process.cwd());
const host = ts.createCompilerHost(options);
const readFile = host.readFile.bind(host);
host.readFile = (file) => given.get(resolve(file)) ?? readFile(file);
const program = ts.createProgram([...types, ...lint], options, host);

const ofTypes = types
  .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
  .map(({ file, start = 0, code, messageText }) => ({
    file: file?.fileName,
    line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
    rule: `TS${code}`,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));

const parserOptions = { projectService: false, programs: [program] };
const eslint = new ESLint({ overrideConfig: { languageOptions: { parserOptions } } });
const results = [];
for (const file of lint) {
  const content = given.get(resolve(file)) ?? ts.sys.readFile(file);
  results.push(...(await eslint.lintText(content, { filePath: file })));
}
const ofLint = results.flatMap(({ filePath, messages }) =>
  messages.map(({ line, ruleId, message }) => ({ file: filePath, line, rule: ruleId, message })),
);
process.stdout.write(JSON.stringify([...ofTypes, ...ofLint]));
