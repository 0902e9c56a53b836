/** Which waiting sign-ups a person may take at a level (domain 2.1, 3.9). */
export type ReviewScope =
  /** Everybody's: no reviewers are listed, or the person runs the examination. */
  | { readonly kind: 'all' }
  /** What was given to them. */
  | { readonly kind: 'allotted' }
  /** From the pool, within their units and posts; empty = all. */
  | { readonly kind: 'pool'; readonly units: readonly string[]; readonly codes: readonly string[] }
  | { readonly kind: 'none' }
