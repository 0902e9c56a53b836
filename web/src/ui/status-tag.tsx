import type { Tone } from '#contract/kernel/field.ts'

export type { Tone }

/** What a state means for the reader; the colour only repeats what the word says. */
export const StatusTag = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span className="tag" data-tone={tone}>
    {text}
  </span>
)
