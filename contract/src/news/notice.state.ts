import { defineMachine } from '../kernel/machine.ts'

export type NoticeState = 'draft' | 'published' | 'withdrawn'
export type NoticeEvent = 'publish' | 'withdraw' | 'revise'

/**
 * Notices and news. What is published is not changed any more: it is withdrawn, with a reason that whoever follows an old link reads, made a draft
 * again and published anew. One whose time has not come was seen by nobody and becomes a draft at once.
 */
export const noticeMachine = defineMachine<NoticeState, NoticeEvent>({
  name: 'notice',
  initial: 'draft',
  on: {
    draft: { publish: 'published' },
    published: { withdraw: 'withdrawn', revise: 'draft' },
    withdrawn: { revise: 'draft' },
  },
  wire: { draft: 0, published: 1, withdrawn: 2 },
  label: {
    draft: { zh: '草稿', en: 'Draft' },
    published: { zh: '已发布', en: 'Published' },
    withdrawn: { zh: '已下架', en: 'Withdrawn' },
  },
  tone: { draft: 'draft', published: 'passed', withdrawn: 'closed' },
})
