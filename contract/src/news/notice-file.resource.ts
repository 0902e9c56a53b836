import { int, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

/** Files beside a notice (S7.61). */
export const noticeFile = defineResource({
  name: 'notice-file',
  ownRules: true,
  basePath: '/blade-noticeFile/noticefile',
  menuPath: '/desk/noticeFile',
  menu: {
    under: 'desk',
    after: 'notice',
    label: { zh: '公告附件', en: 'Files of notices' },
    icon: 'files',
    roles: ['admin', 'exam_admin'],
    readers: ['auditor'],
  },
  label: { zh: '公告附件', en: 'File of a notice' },
  verbs: ['list', 'detail', 'submit', 'remove', 'export'],
  order: '-id',
  fields: {
    noticeId: ref('notice', { label: { zh: '公告', en: 'Notice' }, required: true, immutable: true, search: 'eq', width: 280 }),
    fileId: ref('file', { label: { zh: '文件', en: 'File' }, required: true, immutable: true, list: false }),
    name: text(255, { label: { zh: '文件名', en: 'File name' }, search: 'like', width: 260, fact: 'none' }),
    size: int({ label: { zh: '大小（字节）', en: 'Size (bytes)' }, form: false }),
    sort: int({ label: { zh: '排序', en: 'Order' }, min: 0, max: 9_999, default: 0 }),
    downCount: int({ label: { zh: '下载次数', en: 'Downloads' }, form: false }),
  },
})
