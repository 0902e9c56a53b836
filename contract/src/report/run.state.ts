import { defineStates } from '../kernel/machine.ts'

/** How one run of a report stands. */
export const runStates = defineStates({
  wire: { queued: 0, working: 3, done: 4, failed: 5, stopped: 6 },
  label: {
    queued: { zh: '排队中', en: 'Waiting' },
    working: { zh: '生成中', en: 'In the making' },
    done: { zh: '完成', en: 'Done' },
    failed: { zh: '失败', en: 'Failed' },
    stopped: { zh: '已停止', en: 'Stopped' },
  },
  tone: { queued: 'waiting', working: 'active', done: 'passed', failed: 'refused', stopped: 'closed' },
})
