import { type AccommodationKind, accommodationKinds } from '#contract/ticket/accommodation.state.ts'

/** What was granted to somebody. */
export interface GrantedHelp {
  readonly kinds: readonly string[]
  readonly extraMinutes: number | null
}

/** As sheets name it: 延长 30 分钟、大字试卷. Extra time is of papers that are written. */
export const helpText = (help: GrantedHelp | undefined, isWritten: boolean): string =>
  (help?.kinds ?? [])
    .flatMap(kind =>
      kind === 'time'
        ? isWritten && help?.extraMinutes
          ? `延长 ${help.extraMinutes} 分钟`
          : []
        : (accommodationKinds[kind as AccommodationKind]?.zh ?? []),
    )
    .join('、')

/** When a written paper ends for somebody. */
export const endWithHelp = (end: Date, help: GrantedHelp | undefined): Date => new Date(end.getTime() + (help?.extraMinutes ?? 0) * 60_000)
