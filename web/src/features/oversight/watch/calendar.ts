const dayMs = 86_400_000
const mostDays = 400

/** A day that exists, as a number; undefined otherwise. */
const numberOf = (text: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : at / dayMs
}
const textOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Days as somebody types them: one a line or after a comma, `2026-10-01` or `2026-10-01 ~ 2026-10-07`. @returns the part that is none in `wrong` */
export const daysOf = (typed: string): { readonly days: readonly string[] } | { readonly wrong: string } => {
  const days = new Set<string>()
  for (const part of typed.split(/[\n,，;；]/).map(one => one.trim())) {
    if (part === '') continue
    const [from, to, ...more] = part.split(/\s*[~～]\s*/).map(numberOf)
    const end = part.search(/[~～]/) === -1 ? from : to
    if (from === undefined || end === undefined || more.length > 0 || end < from || end - from >= mostDays) return { wrong: part }
    for (let day = from; day <= end; day += 1) days.add(textOf(day))
    if (days.size > mostDays) return { wrong: part }
  }
  return { days: [...days].sort() }
}

/** The same the other way round: days that follow each other become one line. */
export const daysText = (days: readonly string[]): string => {
  const numbers = days.flatMap(day => numberOf(day) ?? []).sort((a, b) => a - b)
  const starts = numbers.filter((day, at) => numbers[at - 1] !== day - 1)
  return starts
    .map((start, at) => {
      const next = starts[at + 1]
      const end = numbers[(next === undefined ? numbers.length : numbers.indexOf(next)) - 1] ?? start
      return end === start ? textOf(start) : `${textOf(start)} ~ ${textOf(end)}`
    })
    .join('\n')
}
