import { storedParameterName } from '#contract/tenancy/parameter-names.ts'
import { isForPlatformOnly, parameterProblem } from '#contract/tenancy/parameter-rules.ts'
import { forgetParameters } from '#kernel/platform-audit.ts'
import type { NounRules } from '#modules/transfer/index.ts'

/** A value of one's own, where it differs from the one that holds; a name as the program stores it. */
const prepare: NounRules['prepare'] = (values, before) => {
  const [key, value] = [String(values['paramKey']), String(values['paramValue'])]
  const named = { ...values, paramName: storedParameterName(key, String(values['paramName'])) }
  if (value === before?.['paramValue']) return { values: named }
  const problem = isForPlatformOnly(key)
    ? { zh: '由平台统一设置，租户不能修改', en: 'Set by the platform for all tenants' }
    : parameterProblem(key, value)
  return problem ? { field: 'paramValue', problem } : { values: { ...named, isOwn: 1 } }
}

/** What parameters that come by a workbook keep to. */
export const paramRules: NounRules = { prepare, afterWrite: forgetParameters }
