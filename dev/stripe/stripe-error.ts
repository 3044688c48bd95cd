/** An error response of the API. */
export class StripeError extends Error {
  constructor(
    message: string,
    readonly details: { code?: string; param?: string; type?: string; status?: number } = {},
  ) {
    super(message);
  }

  get status(): number {
    return this.details.status ?? 400;
  }

  get body() {
    const { type = 'invalid_request_error', code, param } = this.details;
    return {
      error: {
        type,
        message: this.message,
        ...(code && { code, doc_url: `https://stripe.com/docs/error-codes/${code}` }),
        ...(param && { param }),
      },
    };
  }
}

/**
 * @param param the parameter with the id. Without it the id is in the address and the status is 404
 */
export function resourceMissing(what: string, id: string, param?: string): StripeError {
  return new StripeError(`No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param: param ?? 'id',
    status: param ? 400 : 404,
  });
}

/** The error for a declined card. */
export function cardDeclined(): StripeError {
  return new StripeError('Your card was declined.', { type: 'card_error', code: 'card_declined', status: 402 });
}
