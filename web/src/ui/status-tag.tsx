/** What a state means for the reader; the colour only repeats what the word says. */
export type Tone = 'draft' | 'waiting' | 'active' | 'passed' | 'refused' | 'closed'

export const StatusTag = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span className="tag" data-tone={tone}>
    {text}
  </span>
)
