import { defineRefTarget } from '../kernel/ref-target.ts'

/** Uploaded, not chosen: a page brings the control. */
export const fileTarget = defineRefTarget({
  name: 'file',
  label: { zh: '文件', en: 'File' },
  table: 'stored_file',
  permission: 'file',
  title: ['name'],
})
