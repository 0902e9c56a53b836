/**
 * The three digits that each interview group has in its ticket numbers (domain 7.5 GGG): those that its name has, such as 第 3 组 or 03, else the
 * lowest that no group has.
 * @param known numbers of groups that there are already
 * @throws RangeError when more than 999 groups
 */
export const groupNumbers = (names: readonly string[], known: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
  const numbers = new Map(known)
  const used = new Set(known.values())
  const fresh = [...new Set(names)].filter(name => !numbers.has(name))
  const give = (name: string, number: number): void => {
    numbers.set(name, number)
    used.add(number)
  }
  for (const name of fresh) {
    const [, digits] = /^\D*(\d{1,3})\D*$/.exec(name) ?? []
    const number = Number(digits)
    if (digits !== undefined && number >= 1 && !used.has(number)) give(name, number)
  }
  let next = 1
  for (const name of fresh.filter(one => !numbers.has(one))) {
    while (used.has(next)) next++
    if (next > 999) throw new RangeError('there are more than 999 interview groups')
    give(name, next)
  }
  return numbers
}
