import { defineStates } from './machine.ts'

/** How an export that is made in the background stands (`exportJobView.state`). */
export const exportJobStates = defineStates({
  wire: { queued: 0, asked: 1, writing: 3, done: 4, failed: 5, cancelled: 6, expired: 7, refused: 8 },
  label: {
    queued: { zh: '排队中', en: 'Waiting' },
    asked: { zh: '等待他人同意', en: 'Waits for approval' },
    writing: { zh: '生成中', en: 'In the making' },
    done: { zh: '可下载', en: 'Ready' },
    failed: { zh: '失败', en: 'Failed' },
    cancelled: { zh: '已取消', en: 'Cancelled' },
    expired: { zh: '已过期', en: 'Expired' },
    refused: { zh: '未获同意', en: 'Not approved' },
  },
  tone: {
    ...{ queued: 'waiting', asked: 'waiting', writing: 'active', done: 'passed' },
    ...{ failed: 'refused', cancelled: 'closed', expired: 'closed', refused: 'refused' },
  },
})
