import type { FieldRules } from '#kernel/http/field-rule.ts'

/** A nick name is the name itself until its owner chooses another, so it is seen no further than the name. */
export const withNickName = (rules: FieldRules): FieldRules => {
  const [name, nick] = [rules['user.realName'], rules['user.name']]
  return name === undefined || name === nick || nick === 'hidden' ? rules : { ...rules, 'user.name': name }
}
