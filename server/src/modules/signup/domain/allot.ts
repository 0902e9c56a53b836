/** 0 pool, 1 each unit evenly among those who cover it, 2 a post to one reviewer, 3 even random, 4 a surname to one reviewer (domain 3.1). */
export type AllotMode = 0 | 1 | 2 | 3 | 4

export interface AllotReviewer {
  readonly userId: string
  /** Empty = all. */
  readonly units: readonly string[]
  readonly codes: readonly string[]
  /** Sign-ups that may wait for them at a time; 0 = no limit. */
  readonly quota: number
  /** What waits for them already and is not handed out anew. */
  readonly waiting: number
}
export interface AllotItem {
  readonly signupId: string
  readonly unit: string
  readonly code: string
  readonly name: string
  /** Reviewers who must not get it: conflicts of interest, and whoever decided the level before. */
  readonly barred: ReadonlySet<string>
}
export type UnplacedReason = 'noReviewer' | 'outsideScope' | 'barred' | 'quota'
export interface Allotment {
  /** Sign-up id → reviewer. */
  readonly placed: ReadonlyMap<string, string>
  readonly unplaced: readonly { readonly signupId: string; readonly reason: UnplacedReason }[]
}

export const covers = (reviewer: Pick<AllotReviewer, 'units' | 'codes'>, item: Pick<AllotItem, 'unit' | 'code'>): boolean =>
  (reviewer.units.length === 0 || reviewer.units.includes(item.unit)) && (reviewer.codes.length === 0 || reviewer.codes.includes(item.code))

/** Family name of two characters, as far as people bear one; else the first character. */
const doubleSurnames = new Set([
  '欧阳',
  '司马',
  '上官',
  '诸葛',
  '东方',
  '皇甫',
  '尉迟',
  '公孙',
  '慕容',
  '令狐',
  '长孙',
  '宇文',
  '司徒',
  '夏侯',
])
export const surnameOf = (name: string): string => {
  const first = [...name].slice(0, 2).join('')
  return doubleSurnames.has(first) ? first : ([...name][0] ?? '')
}

/** What stays with one reviewer in a mode; undefined where each sign-up goes by itself. */
const groupOf = (mode: AllotMode, item: AllotItem): string | undefined =>
  mode === 2 ? item.code : mode === 4 ? surnameOf(item.name) : undefined

/**
 * Hands waiting sign-ups to reviewers (domain 3.9, 5.5). Posts and surnames go to one reviewer as far as quota and conflicts let them; a unit
 * is shared by all who cover it, so that nobody alone judges a whole unit: each has as many of it as the others, and what is left over goes to
 * whoever has least in all. The order is the draw's: with the same key and the same facts everybody comes to the same outcome.
 *
 * @param rank - a number that nobody can foresee for a sign-up, group or reviewer, the same for the same text
 */
export const allot = (
  mode: AllotMode,
  reviewers: readonly AllotReviewer[],
  items: readonly AllotItem[],
  rank: (text: string) => string,
): Allotment => {
  const placed = new Map<string, string>()
  const unplaced: { signupId: string; reason: UnplacedReason }[] = []
  if (mode === 0) return { placed, unplaced }
  const desks = reviewers
    .map(reviewer => ({ reviewer, load: reviewer.waiting, rank: rank(`reviewer ${reviewer.userId}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
  type Desk = (typeof desks)[number]
  // Hundreds of thousands of sign-ups share some thousand posts: who may have a post is worked out once.
  const scopes = new Map<string, ReadonlySet<Desk>>()
  const scopeOf = (item: AllotItem): ReadonlySet<Desk> => {
    const key = `${item.unit}|${item.code}`
    const known = scopes.get(key) ?? new Set(desks.filter(({ reviewer }) => covers(reviewer, item)))
    scopes.set(key, known)
    return known
  }
  const isFree = ({ reviewer, load }: Desk, item: AllotItem): boolean =>
    (reviewer.quota === 0 || load < reviewer.quota) && !item.barred.has(reviewer.userId)
  const leastLoaded = (scope: ReadonlySet<Desk>, item: AllotItem, ofUnit?: ReadonlyMap<Desk, number>): Desk | undefined => {
    let least: Desk | undefined
    let fewest = 0
    for (const desk of scope) {
      const own = ofUnit?.get(desk) ?? 0
      if ((least === undefined || own < fewest || (own === fewest && desk.load < least.load)) && isFree(desk, item))
        [least, fewest] = [desk, own]
    }
    return least
  }
  const whyNot = (scope: ReadonlySet<Desk>, item: AllotItem): UnplacedReason => {
    if (desks.length === 0) return 'noReviewer'
    if (scope.size === 0) return 'outsideScope'
    return [...scope].every(({ reviewer }) => item.barred.has(reviewer.userId)) ? 'barred' : 'quota'
  }

  const place = (item: AllotItem, scope: ReadonlySet<Desk>, desk: Desk | undefined): void => {
    if (desk === undefined) {
      unplaced.push({ signupId: item.signupId, reason: whyNot(scope, item) })
      return
    }
    placed.set(item.signupId, desk.reviewer.userId)
    desk.load += 1
  }

  if (mode === 1) {
    const units = [...Map.groupBy(items, item => item.unit)]
      .map(([unit, members]) => ({
        // Sign-ups that fewer reviewers may have come first, or others would have taken the room for them.
        members: members
          .map(item => ({ item, scope: scopeOf(item), rank: rank(`item ${item.signupId}`) }))
          .sort((a, b) => a.scope.size - b.scope.size || (a.rank < b.rank ? -1 : 1)),
        rank: rank(`group ${unit}`),
      }))
      .sort((a, b) => b.members.length - a.members.length || (a.rank < b.rank ? -1 : 1))
    for (const { members } of units) {
      const ofUnit = new Map<Desk, number>()
      for (const { item, scope } of members) {
        const desk = leastLoaded(scope, item, ofUnit)
        place(item, scope, desk)
        if (desk) ofUnit.set(desk, (ofUnit.get(desk) ?? 0) + 1)
      }
    }
    return { placed, unplaced }
  }

  const keyOf = (item: AllotItem): string => groupOf(mode, item) ?? item.signupId
  const groups = [...Map.groupBy(items, keyOf)]
    .map(([key, members]) => ({ key, members, rank: rank(`group ${key}`) }))
    // Large groups first, or the last of them would tip the balance.
    .sort((a, b) => b.members.length - a.members.length || (a.rank < b.rank ? -1 : 1))
  for (const { members } of groups) {
    let holder: Desk | undefined
    for (const item of members) {
      const scope = scopeOf(item)
      const chosen = holder && scope.has(holder) && isFree(holder, item) ? holder : leastLoaded(scope, item)
      place(item, scope, chosen)
      holder ??= chosen
    }
  }
  return { placed, unplaced }
}
