import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Proposal } from './standing.tsx'

const of = {
  ...{ id: '1', reason: '学历不符', byName: '何考务', time: '2026-03-01 09:00:00', state: 0 },
  ...{ decision: null, decidedName: null, decidedTime: null, answerUntil: '2026-03-06 09:00:00' },
}
const shown = (toldTime: string | null) => renderToStaticMarkup(createElement(Proposal, { kind: 'disqualify', of: { ...of, toldTime } }))

test('a proposal says that the person confirmed it, and leaves what is not confirmed to the facts of how they were told', () => {
  expect(shown('2026-03-02 10:00:00')).toContain('本人可在 2026-03-06 09:00 前陈述、申辩；本人 2026-03-02 10:00 已确认收到告知')
  expect(shown(null)).toContain('<span>本人可在 2026-03-06 09:00 前陈述、申辩</span>')
})
