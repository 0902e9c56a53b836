import { storedParameterName } from '#contract/tenancy/parameter-names.ts'
import { isForPlatformOnly, parameterProblem, weakensTwoPersons } from '#contract/tenancy/parameter-rules.ts'
import { passAlone } from '#kernel/two-persons.ts'
import type { NounRules } from '#modules/transfer/index.ts'
import { parametersWritten } from '../data/param.repo.ts'

/** A value of one's own, where it differs from the one that holds; a name as the program stores it. */
const prepare: NounRules['prepare'] = (values, before) => {
  const [key, value] = [String(values['paramKey']), String(values['paramValue'])]
  const named = { ...values, paramName: storedParameterName(key, String(values['paramName'])) }
  if (value === before?.['paramValue']) return { values: named }
  const problem = isForPlatformOnly(key)
    ? { zh: '由平台统一设置，租户不能修改', en: 'Set by the platform for all tenants' }
    : weakensTwoPersons(key, String(before?.['paramValue'] ?? ''), value)
      ? {
          zh: '此修改会放宽双人复核，须在“参数管理”中由两人先后提交相同的值',
          en: 'This weakens a rule of two persons: two persons submit the same value under "Parameters"',
        }
      : parameterProblem(key, value)
  return problem ? { field: 'paramValue', problem } : { values: { ...named, isOwn: 1 } }
}

/** What parameters that come by a workbook keep to. */
export const paramRules: NounRules = {
  prepare,
  afterWrite: db => {
    // What weakens a rule does not come by a workbook (`prepare`).
    passAlone(db, 'parameterChange', 'notWeaker')
    return parametersWritten(db)
  },
}
