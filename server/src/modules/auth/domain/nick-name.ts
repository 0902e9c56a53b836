/** A nick name is the name itself until its owner chooses another, so by the rules of fields it is seen no further than the name. */
export const withNickName = <Rule extends string>(rules: Readonly<Record<string, Rule>>): Readonly<Record<string, Rule>> => {
  const [name, nick] = [rules['user.realName'], rules['user.name']]
  return name === undefined || name === nick || nick === 'hidden' ? rules : { ...rules, 'user.name': name }
}
