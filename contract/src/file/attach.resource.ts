import { int, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

/** Files that staff share inside their tenant (S7.24): uploaded on the screen of attachments, opened by a link made for each reader. */
export const attach = defineResource({
  name: 'attach',
  ownRules: true,
  writes: 'own',
  basePath: '/blade-resource/attach',
  menuPath: '/resource/attach',
  menu: {
    under: 'resource',
    label: { zh: '附件管理', en: 'Attachments' },
    icon: 'file',
    roles: ['administrator', 'admin'],
    buttons: [
      { right: 'upload', label: { zh: '上传', en: 'Upload' } },
      { right: 'download', label: { zh: '下载', en: 'Download' } },
    ],
  },
  label: { zh: '附件', en: 'Attachment' },
  nulls: 'empty',
  fields: {
    originalName: text(255, {
      label: { zh: '附件原名', en: 'Name' },
      required: true,
      requiredMessage: { zh: '请输入附件原名', en: 'Please enter the name' },
      search: 'like',
    }),
    name: text(40, { label: { zh: '附件名称', en: 'Stored as' }, form: false, search: 'like', width: 210, fact: 'none' }),
    domainUrl: text(255, { label: { zh: '附件域名', en: 'Host' }, form: false, list: false, search: 'like' }),
    extension: text(12, { label: { zh: '附件拓展名', en: 'Kind' }, form: false, search: 'eq', width: 90 }),
    attachSize: int({ label: { zh: '附件大小', en: 'Size' }, form: false, width: 110 }),
    fileId: ref('file', { label: { zh: '文件', en: 'File' }, form: false, list: false }),
    uploader: text(60, { label: { zh: '上传人', en: 'Uploaded by' }, form: false, search: 'like', width: 120, mask: 'name' }),
  },
  derived: {
    link: text(255, { label: { zh: '附件地址', en: 'Link' } }),
  },
  takes: {
    // Which uploaded file an addition means. The framework's form sends the row's link back with a change too, where it says nothing new and is left alone.
    link: text(500, { label: { zh: '附件地址', en: 'Link' } }),
  },
})
