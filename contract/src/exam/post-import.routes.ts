import { marksOf, nounOf } from '../kernel/field-rule.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, strict } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from '../transfer/import.routes.ts'
import { typeCode } from './exam.resources.ts'

export const importTypeCode = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/importTypeCode',
  access: { staff: 'typecode_import' },
  input: strict({ examId: id(), ...importInput }),
  files: importFiles,
  output: importResult,
  tells: Object.values(marksOf(nounOf(typeCode))),
  tx: 'own',
  keyed: 'own',
})
