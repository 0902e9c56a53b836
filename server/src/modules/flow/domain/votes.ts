import type { SignRule } from '#contract/flow/process-graph.ts'

/** How a step that several sign stands: it moves on as soon as no vote can change it any more. */
export const decide = (
  rule: SignRule,
  share: number,
  votes: { readonly members: number; readonly agreed: number; readonly refused: number },
): 'agreed' | 'refused' | 'open' => {
  const { members, agreed, refused } = votes
  const needed = rule === 'all' ? members : rule === 'any' ? 1 : Math.max(1, Math.ceil((members * share) / 100))
  if (agreed >= needed) return 'agreed'
  return members - refused < needed ? 'refused' : 'open'
}
