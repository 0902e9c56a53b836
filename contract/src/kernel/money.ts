/** The largest single amount in fen that is taken: ten million yuan. Beyond it a typing error is certain. */
export const maxFen = 1_000_000_000
