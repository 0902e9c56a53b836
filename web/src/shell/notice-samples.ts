import type { Label } from '../kernel/i18n/index.ts'
import type { NoticeTab } from './notices.ts'

export interface Sample {
  readonly title: Label
  readonly text: Label
}

/** S2.42 fills the popover with sample data. Each is marked as an example, counts for nothing and can be hidden. */
export const samples: Readonly<Record<NoticeTab, readonly Sample[]>> = {
  mail: [
    {
      title: { zh: '招聘工作周报', en: 'Weekly recruitment report' },
      text: {
        zh: '本周新增报名、审核进度与缴费汇总，详见附件。',
        en: 'Sign-ups, review progress and payments of the week, see attachment.',
      },
    },
    {
      title: { zh: '系统维护通知', en: 'Maintenance' },
      text: { zh: '周六 22:00–23:00 系统维护，期间暂停服务。', en: 'No service on Saturday from 22:00 to 23:00.' },
    },
  ],
  messages: [
    {
      title: { zh: '王敏 回复了您', en: 'Wang Min answered you' },
      text: { zh: '材料已补齐，请再看一下。', en: 'The files are complete now, please look again.' },
    },
    {
      title: { zh: '李强 提到了您', en: 'Li Qiang mentioned you' },
      text: { zh: '考点二的监考安排请确认。', en: 'Please confirm the invigilators of site two.' },
    },
  ],
  notices: [
    {
      title: { zh: '请确认考务手册', en: 'Please confirm the exam manual' },
      text: { zh: '新版考务手册已发布，请在考前阅读并确认。', en: 'The new manual is out; read and confirm it before the exam.' },
    },
    {
      title: { zh: '考务培训', en: 'Training' },
      text: { zh: '周三 14:00 在三楼会议室举行考务培训。', en: 'Wednesday 14:00, third-floor meeting room.' },
    },
  ],
}
