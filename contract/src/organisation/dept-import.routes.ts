import { importCalls } from '../transfer/import-calls.ts'

/** Departments by workbook (S7.15): a department is named by the path of those above it and its own name. */
export const { run: importDepts, template: deptTemplate } = importCalls(
  { run: '/blade-system/dept/import-dept', template: '/blade-system/dept/export-template' },
  { staff: 'dept_import' },
  'a department that is there under this parent and name is changed, any other is added; none moves',
)
