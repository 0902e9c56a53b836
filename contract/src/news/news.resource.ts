import { flag, instant, int, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'
import { stateTones, stateWords } from './words.ts'

/** News of the bureau (S7.26, domain 3.15): everybody reads them. */
export const news = defineResource({
  name: 'news',
  ownRules: true,
  basePath: '/blade-news/news',
  menuPath: '/desk/news',
  menu: {
    under: 'desk',
    after: 'noticefile',
    label: { zh: '新闻', en: 'News' },
    icon: 'news',
    roles: ['admin', 'exam_admin'],
    readers: ['auditor'],
    buttons: [{ right: 'release', label: { zh: '发布与下架', en: 'Publish and withdraw' } }],
  },
  label: { zh: '新闻', en: 'News' },
  fields: {
    title: text(200, { label: { zh: '标题', en: 'Title' }, required: true, search: 'like', width: 320 }),
    summary: text(300, { label: { zh: '摘要', en: 'Summary' }, widget: 'textarea', list: false }),
    coverId: ref('file', { label: { zh: '封面', en: 'Cover' }, list: false }),
    content: text(200_000, { label: { zh: '正文', en: 'Text' }, required: true, widget: 'richtext', list: false }),
    source: text(60, { label: { zh: '来源', en: 'Source' }, width: 140 }),
    author: text(40, { label: { zh: '作者', en: 'Author' }, width: 110 }),
    releaseTime: instant({
      label: { zh: '发布时间', en: 'Published at' },
      search: 'range',
      help: { zh: '留空则发布时立即生效', en: 'Left empty it appears when it is published' },
      width: 160,
    }),
    isTop: flag({ label: { zh: '置顶', en: 'On top' }, default: false, width: 80 }),
    state: int({ label: { zh: '状态', en: 'State' }, form: false, search: 'eq', words: stateWords, tones: stateTones, width: 100 }),
    withdrawnTime: instant({ label: { zh: '下架时间', en: 'Withdrawn at' }, form: false, list: false }),
    withdrawReason: text(200, { label: { zh: '下架原因', en: 'Why it was withdrawn' }, form: false, list: false }),
    readCount: int({ label: { zh: '阅读数', en: 'Read' }, form: false, width: 90 }),
  },
})
