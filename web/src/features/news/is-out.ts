import { noticeMachine } from '#contract/news/notice.state.ts'
import { serverNow } from '#web/kernel/clock.ts'
import type { Row } from '#web/resource/fields.ts'

export const millisecondsOf = (wire: string): number => new Date(`${wire.replace(' ', 'T')}+08:00`).getTime()
/** Whether the time of what is published has come. */
export const isOut = ({ releaseTime }: Row): boolean => typeof releaseTime === 'string' && millisecondsOf(releaseTime) <= serverNow()
/** Only a draft is changed; what is published is withdrawn first. */
export const isDraft = (row: Row): boolean => Number(row.state) === noticeMachine.wire.draft
