import { dictInt, flag, instant, int, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'
import { scopeWords, stateTones, stateWords } from './words.ts'

/** Announcements, notices, publicity lists, policies and answers to questions (S7.25, domain 3.15). */
export const notice = defineResource({
  name: 'notice',
  ownRules: true,
  basePath: '/blade-desk/notice',
  menuPath: '/desk/notice',
  label: { zh: '公告', en: 'Notice' },
  verbs: ['list', 'page', 'detail', 'submit', 'remove', 'export'],
  files: [{ name: 'files', maxBytes: 10_240 * 1024, maxCount: 20 }],
  fields: {
    title: text(200, { label: { zh: '标题', en: 'Title' }, required: true, search: 'like', width: 320 }),
    noticeType: dictInt('notice_type', { label: { zh: '类型', en: 'Type' }, required: true, min: 1, max: 5, search: 'eq', width: 100 }),
    scope: int({
      label: { zh: '范围', en: 'For whom' },
      min: 1,
      max: 4,
      default: 1,
      search: 'eq',
      words: scopeWords,
      width: 120,
    }),
    examId: ref('examination', {
      label: { zh: '关联考试', en: 'Examination' },
      list: false,
      search: 'eq',
      help: { zh: '范围为“报名考生”时必选', en: 'Required where the notice is for those who signed up' },
    }),
    content: text(200_000, { label: { zh: '正文', en: 'Text' }, required: true, widget: 'richtext', list: false }),
    releaseTime: instant({
      label: { zh: '发布时间', en: 'Published at' },
      search: 'range',
      help: { zh: '留空则发布时立即生效', en: 'Left empty it appears when it is published' },
      width: 160,
    }),
    endTime: instant({
      label: { zh: '结束时间', en: 'Ends' },
      isEnd: true,
      after: 'releaseTime',
      list: false,
      help: {
        zh: '公示期满或不再置顶、弹窗的时间；之后仍可查看',
        en: 'End of the publicity, of standing on top and of popping up; it can be read after that',
      },
    }),
    isTop: flag({ label: { zh: '置顶', en: 'On top' }, default: false, width: 80 }),
    popup: flag({ label: { zh: '弹窗提示', en: 'Pops up' }, default: false, list: false }),
    needSure: flag({ label: { zh: '需要确认', en: 'Must be confirmed' }, default: false, width: 100 }),
    state: int({ label: { zh: '状态', en: 'State' }, form: false, search: 'eq', words: stateWords, tones: stateTones, width: 100 }),
    withdrawnTime: instant({ label: { zh: '下架时间', en: 'Withdrawn at' }, form: false, list: false }),
    withdrawReason: text(200, { label: { zh: '下架原因', en: 'Why it was withdrawn' }, form: false, list: false }),
  },
  derived: {
    noticeTypeName: text(60, { label: { zh: '类型名称', en: 'Name of the type' } }),
    textVersion: int({ label: { zh: '内容版本', en: 'Version of the text' } }),
    readCount: int({ label: { zh: '已读人数', en: 'Have read' } }),
    sureCount: int({ label: { zh: '已确认人数', en: 'Have confirmed' } }),
    addressees: int({ label: { zh: '应读人数', en: 'Addressees' } }),
  },
  takes: {
    fileIds: text(2_600, { label: { zh: '新增附件', en: 'New files' } }),
    removeFileIds: text(2_600, { label: { zh: '移除附件', en: 'Files to remove' } }),
    // The framework's word for the type.
    category: int({ label: { zh: '类型', en: 'Type' }, min: 1, max: 5 }),
  },
})
