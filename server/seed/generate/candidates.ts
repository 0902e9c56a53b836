import { idCardCheckDigit } from '#contract/person/id-card.ts'
import { type SeedRandom, seedRandom, weightedPicker } from './random.ts'

type Row = Readonly<Record<string, string>>

/** Rows of the files of `seed/data`, as records by header. */
export interface CandidateSources {
  readonly posts: readonly Row[]
  readonly schools: readonly Row[]
  readonly majors: readonly Row[]
  readonly familyNames: readonly Row[]
  readonly givenNames: readonly Row[]
  readonly awkwardNames: readonly Row[]
  readonly nations: readonly Row[]
  readonly political: readonly Row[]
  readonly regions: readonly Row[]
  readonly formerRegions: readonly Row[]
}

export interface CandidateOptions {
  readonly count: number
  readonly seed: number
  /** Share of rows that are awkward on purpose. */
  readonly awkward?: number
  /** Every awkward row gets this case. */
  readonly only?: CandidateCase
  /** Two-digit province most people come from. */
  readonly home?: string
  /** Offset of the counter in the phone number, so that two runs share none. */
  readonly start?: number
}

/** One made-up person with the answers of a sign-up; texts are labels, as in template T2. */
export interface GeneratedCandidate {
  readonly name: string
  readonly idType: string
  readonly idCard: string
  readonly phone: string
  readonly unit: string
  readonly code: string
  readonly code2: string
  readonly adjust: '是' | '否'
  readonly province: string
  readonly city: string
  readonly area: string
  readonly nation: string
  readonly political: string
  readonly education: string
  readonly degree: string
  readonly school: string
  readonly major: string
  readonly graduateDate: string
  /** The awkward case and what a check should say about it; empty for ordinary people. */
  readonly awkwardCase: CandidateCase | ''
  readonly expected: string
}

const CASES = [
  ['major_mismatch', 24, '专业不在岗位专业代码内'],
  ['over_age', 14, '出生日期早于岗位下限'],
  ['over_age_one_day', 4, '比下限早一天,应不通过'],
  ['born_on_bound', 4, '恰为下限当天,应通过'],
  ['edu_too_low', 6, '学历低于岗位要求'],
  ['sex_mismatch', 2, '性别不符岗位要求'],
  ['lower_x', 8, '证件号末位小写 x,应存大写'],
  ['fullwidth_id', 5, '证件号全角数字,应折叠并提示'],
  ['fullwidth_phone', 3, '手机号全角数字,应折叠并提示'],
  ['duplicate_person', 8, '同一人重复,应报与前行重复'],
  ['duplicate_phone', 2, '手机号与他人相同'],
  ['awkward_name', 9, '姓名特殊,见 awkward-names.csv'],
  ['bad_check_digit', 3, '校验位错误,应拒绝'],
  ['bad_birth', 1, '出生日期不存在,应拒绝'],
  ['bad_province', 1, '省级前缀 99,应拒绝'],
  ['sci_notation', 1, '证件号被表格软件变成科学计数,应提示设为文本'],
  ['leap_day', 1, '2 月 29 日出生,应通过'],
  ['former_region', 2, '前六位为已撤销区划,应通过'],
  ['permit', 1, '港澳台居民居住证'],
  ['spaces', 1, '首尾空格,应去除并提示'],
] as const
export type CandidateCase = (typeof CASES)[number][0]

const RANK: Readonly<Record<string, number>> = { 初中: 0, 高中: 1, 中专: 1, 大专: 2, 本科: 3, 硕士研究生: 4, 博士研究生: 5 }
const DEGREES: Readonly<Record<string, string>> = { 博士研究生: '博士', 硕士研究生: '硕士', 本科: '学士' }
const YOUNGEST: Readonly<Record<string, string>> = {
  博士研究生: '1998-06-30',
  硕士研究生: '2001-06-30',
  本科: '2004-06-30',
  大专: '2005-06-30',
}
const GRADUATION_AGE: Readonly<Record<string, number>> = { 博士研究生: 30, 硕士研究生: 26, 本科: 23, 大专: 21 }
/** How many apply per vacancy, by post category. */
const POPULARITY: Readonly<Record<string, number>> = { A: 2.2, B: 9, C: 7, D: 9, E: 5, F: 22, G: 8 }
const DAY_MS = 86_400_000

const rankOf = (education: string): number => RANK[education] ?? 0
const minimumRank = (text: string): number =>
  /博士/.test(text) ? 5 : /硕士/.test(text) ? 4 : /本科/.test(text) ? 3 : /大专|专科/.test(text) ? 2 : /中专|高中/.test(text) ? 1 : 0
const educationOf = (major: Row): string => {
  const level = major.level ?? ''
  return level.startsWith('硕士')
    ? '硕士研究生'
    : level === '本科' || level === '职业本科'
      ? '本科'
      : level === '高职专科'
        ? '大专'
        : '中专'
}
const dayMs = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const addDays = (day: string, days: number): string => new Date(dayMs(day) + days * DAY_MS).toISOString().slice(0, 10)
const between = (from: string, to: string, random: SeedRandom): string =>
  addDays(from, random.int(0, Math.max(0, Math.round((dayMs(to) - dayMs(from)) / DAY_MS))))
const toFullWidth = (text: string): string => text.replace(/[0-9X]/g, char => String.fromCharCode(char.charCodeAt(0) + 0xfee0))

interface Pools {
  readonly pickPost: () => Row
  readonly pickFamily: () => Row
  readonly pickCase: () => (typeof CASES)[number]
  readonly pickNation: () => Row
  readonly pickPolitical: () => Row
  readonly majorsOf: (post: Row) => readonly Row[]
  readonly schools: (isMedical: boolean, level: string) => readonly Row[]
  readonly countiesOf: ReadonlyMap<string, readonly Row[]>
  readonly nameOf: ReadonlyMap<string, string>
  readonly parentOf: ReadonlyMap<string, string>
  readonly unassigned: (code: string) => string
}

/** The order in which the pickers are made and used decides which people come out: do not change it, seeds and samples depend on it. */
function poolsOf(sources: CandidateSources, random: SeedRandom): Pools {
  const majorBy = new Map<string, Row>()
  for (const major of sources.majors) if (major.code && !majorBy.has(major.code)) majorBy.set(major.code, major)
  const majorsOf = (post: Row) =>
    (post['专业代码(分号)'] ?? '').split(';').flatMap(code => {
      const major = majorBy.get(code)
      return major ? [major] : []
    })
  const popular = new Map(
    sources.posts.map(post => [post, Number(post.招聘人数) * (POPULARITY[post.岗位类别代码 ?? ''] ?? 4) * (0.25 + 1.7 * random.next())]),
  )
  const countiesOf = new Map<string, Row[]>()
  for (const region of sources.regions) {
    const code = region.code ?? ''
    if (region.level === '3' && !/^(?:71|81|82)/.test(code))
      countiesOf.set(code.slice(0, 2), [...(countiesOf.get(code.slice(0, 2)) ?? []), region])
  }
  const known = new Set([...sources.regions, ...sources.formerRegions].map(region => region.code))
  const common = ['03', '04', '05', '06', '07', '08', '11', '12', '15', '17']
  const weights: Readonly<Record<string, number>> = { '03': 46, '13': 33, '01': 15, '02': 5 }
  return {
    pickPost: weightedPicker(sources.posts, post => popular.get(post) ?? 0, random),
    pickFamily: weightedPicker(
      sources.familyNames.filter(name => Number(name.weight) > 0),
      name => Number(name.weight),
      random,
    ),
    pickCase: weightedPicker(CASES, one => one[1], random),
    pickNation: weightedPicker(
      sources.nations.filter(nation => Number(nation.code) <= 56),
      nation => (nation.code === '01' ? 915 : common.includes(nation.code ?? '') ? 7 : 0.4),
      random,
    ),
    pickPolitical: weightedPicker(sources.political, one => weights[one.code ?? ''] ?? 0.2, random),
    majorsOf,
    schools: (isMedical, level) =>
      sources.schools.filter(
        school => (school.是否医学院校 === '是') === isMedical && (school.办学层次 === '专科' ? '专科' : '本科') === level,
      ),
    countiesOf,
    nameOf: new Map(sources.regions.map(region => [region.code ?? '', region.name ?? ''])),
    parentOf: new Map(sources.regions.map(region => [region.code ?? '', region.parentCode ?? ''])),
    unassigned: code => {
      for (let k = 99; k > 60; k--) if (!known.has(code.slice(0, 4) + k)) return code.slice(0, 4) + k
      return code
    },
  }
}

/** Makes people who sign up for the given posts: believable, deterministic by seed, and nobody real (see SOURCES.md). */
export function generateCandidates(sources: CandidateSources, options: CandidateOptions): GeneratedCandidate[] {
  const random = seedRandom(options.seed * 2654435761)
  const { int, pick } = random
  const pools = poolsOf(sources, random)
  const given = (not: string) => sources.givenNames.filter(name => !(name['sex(0 any 1 male 2 female)'] ?? '').startsWith(not))
  const [givenMale, givenFemale] = [given('2'), given('1')]
  const provinces = [...pools.countiesOf.keys()]
  const schoolPools = new Map(
    [true, false].flatMap(medical => ['本科', '专科'].map(level => [`${medical}${level}`, pools.schools(medical, level)] as const)),
  )
  const home = options.home ?? '33'
  const used = new Set<string>()
  const done: GeneratedCandidate[] = []
  const doneRows = new Map<GeneratedCandidate, number>()

  const makeId = (area: string, birth: string, sex: number, wantX: boolean): string | undefined => {
    for (let attempt = 0; attempt < 4000; attempt++) {
      const sequence = int(0, 499) * 2 + (sex === 1 ? 1 : 0)
      const first17 = area + birth.replaceAll('-', '') + String(sequence).padStart(3, '0')
      const id = first17 + idCardCheckDigit(first17)
      if (used.has(id) || (wantX && !id.endsWith('X'))) continue
      used.add(id)
      return id
    }
    return undefined
  }

  const one = (index: number): GeneratedCandidate => {
    let kase: CandidateCase | '' = random.next() < (options.awkward ?? 0.12) ? (options.only ?? pools.pickCase()[0]) : ''
    if (kase === 'duplicate_person' && done.length < 5) kase = ''
    let post = pools.pickPost()
    if (kase === 'sex_mismatch') post = pick(sources.posts.filter(row => row.性别要求 !== '不限')) ?? post
    if (/^over_age|born_on_bound/.test(kase)) for (let t = 0; !post.出生日期不早于 && t < 50; t++) post = pools.pickPost()
    const need = minimumRank(post.学历要求 ?? '')
    const wanted = pools.majorsOf(post)
    const fits = wanted.filter(major => rankOf(educationOf(major)) >= need || (educationOf(major) === '硕士研究生' && need === 5))
    let major = pick(fits)
    if (fits.length > 1 && educationOf(major) === '硕士研究生' && need < 4 && random.next() < 0.6) {
      const lower = fits.filter(row => rankOf(educationOf(row)) < 4)
      if (lower.length > 0) major = pick(lower)
    }
    if (fits.length === 0) {
      const open = sources.majors.filter(row => row.code && rankOf(educationOf(row)) === Math.min(4, Math.max(need, pick([2, 3]))))
      major = pick(open)
    }
    let education = need === 5 ? '博士研究生' : educationOf(major)
    if (kase === 'major_mismatch') {
      if (wanted.length === 0) kase = ''
      else {
        const bad = sources.majors.filter(
          row => row.code && educationOf(row) === educationOf(major) && !wanted.some(w => w.name === row.name),
        )
        if (bad.length > 0) major = pick(bad)
      }
    }
    if (kase === 'edu_too_low') {
      if (need < 2) kase = ''
      else {
        const low = sources.majors.filter(row => row.code && rankOf(educationOf(row)) === need - 1)
        if (low.length > 0) {
          major = pick(low)
          education = educationOf(major)
        } else education = '大专'
      }
    }

    let sex = random.next() < (post.岗位类别代码 === 'B' ? 0.1 : 0.42) ? 1 : 2
    if (post.性别要求 === '男') sex = 1
    if (post.性别要求 === '女') sex = 2
    if (kase === 'sex_mismatch') sex = 3 - sex
    const youngest = YOUNGEST[education] ?? '2007-06-30'
    const lowest = post.出生日期不早于 || '1975-03-16'
    const spread = random.next()
    let birth: string
    if (spread < 0.12) birth = between(lowest, addDays(lowest, 240), random)
    else if (spread < 0.72) {
      const from = addDays(youngest, -2300)
      birth = between(from > lowest ? from : lowest, youngest, random)
    } else birth = between(lowest, youngest, random)
    if (birth < lowest) birth = lowest
    if (kase === 'over_age') birth = between(addDays(lowest, -3300), addDays(lowest, -2), random)
    if (kase === 'over_age_one_day') birth = addDays(lowest, -1)
    if (kase === 'born_on_bound') birth = lowest
    if (kase === 'leap_day') {
      const years = [1992, 1996, 2000].filter(year => `${year}-02-29` >= lowest)
      if (years.length > 0) birth = `${pick(years)}-02-29`
      else kase = ''
    }

    const province = random.next() < 0.6 && pools.countiesOf.has(home) ? home : pick(provinces)
    const county = pick(pools.countiesOf.get(province) ?? [])
    const countyCode = county.code ?? ''
    let area = pools.unassigned(countyCode)
    let idType = '居民身份证'
    if (kase === 'former_region') area = pick(sources.formerRegions.filter(region => region.level === '3')).code ?? area
    if (kase === 'permit') {
      area = pick(['810000', '820000', '830000'])
      idType = '港澳台居民居住证'
    }
    let id =
      makeId(area, birth, sex, kase === 'lower_x') ??
      makeId(pools.unassigned(countyCode), between('1986-01-01', '2003-12-31', random), sex, kase === 'lower_x') ??
      ''
    const family = pools.pickFamily().name ?? ''
    let name = family + (pick(sex === 1 ? givenMale : givenFemale).name ?? '')
    let expected: string = CASES.find(([key]) => key === kase)?.[2] ?? ''
    const nation = pools.pickNation()
    if (kase === 'awkward_name') {
      const odd = pick(sources.awkwardNames)
      name = odd.name ?? ''
      const verdict = odd['expect(accept|fold|accept-flag|review|reject)']
      expected += `(${odd.kind}: ${verdict}${odd.folded !== odd.name ? ` → ${odd.folded}` : ''})`
    }
    // Segment 160 is not issued to the public.
    let phone = `160${String(((options.start ?? 0) + index) % 1e8).padStart(8, '0')}`
    if (kase === 'bad_check_digit') id = id.slice(0, 17) + pick([...'0123456789'.replace(id.charAt(17), '')])
    if (kase === 'bad_birth') {
      const first17 = `${id.slice(0, 6)}${birth.slice(0, 4)}0231${id.slice(14, 17)}`
      id = first17 + idCardCheckDigit(first17)
    }
    if (kase === 'bad_province') {
      const first17 = `99${id.slice(2, 17)}`
      id = first17 + idCardCheckDigit(first17)
    }
    let idCard = id
    if (kase === 'lower_x') idCard = id.replace('X', 'x')
    if (kase === 'fullwidth_id') idCard = toFullWidth(id)
    if (kase === 'sci_notation') idCard = (Number(id.slice(0, 17)) * 10).toExponential(5).replace('e+', 'E+')
    if (kase === 'fullwidth_phone') phone = toFullWidth(phone)
    if (kase === 'duplicate_phone' && done.length > 0) phone = pick(done).phone
    if (kase === 'spaces') {
      idCard = ` ${idCard} `
      name = `${name} `
    }

    const isMedicalMajor = /^(?:10|32|52|62|72)/.test(major.code ?? '')
    const isMedicalSchool = isMedicalMajor && random.next() < 0.78
    let schools = schoolPools.get(`${isMedicalSchool}${rankOf(education) >= 3 ? '本科' : '专科'}`) ?? []
    if (rankOf(education) >= 4) schools = schools.filter(row => row.院校名称?.endsWith('大学') && row.办学性质 === '公办')
    const school = pick(schools)
    let graduationYear = Number(birth.slice(0, 4)) + (GRADUATION_AGE[education] ?? 19) + int(-1, 1)
    if (post.应届要求 === '应届') graduationYear = 2026
    if (graduationYear > 2026) graduationYear = 2026
    const graduateDate = `${graduationYear}-${pick(['06-30', '06-30', '07-01', '06-20', '01-10'])}`
    let political = pools.pickPolitical().name ?? ''
    // Members leave the league at 28.
    if (political === '共青团员' && birth < '1998-03-16') political = '群众'
    if (/中共党员/.test(post.政治面貌要求 ?? '')) political = '中共党员'
    const alike = sources.posts.filter(row => row !== post && row.岗位类别代码 === post.岗位类别代码)
    const code2 = random.next() < 0.35 && alike.length > 0 ? (pick(alike).岗位代码 ?? '') : ''
    const cityCode = pools.parentOf.get(countyCode) ?? ''
    const candidate: GeneratedCandidate = {
      name,
      idType,
      idCard,
      phone,
      unit: post.招聘单位代码 ?? '',
      code: post.岗位代码 ?? '',
      code2,
      adjust: random.next() < 0.7 ? '是' : '否',
      province: pools.nameOf.get(`${countyCode.slice(0, 2)}0000`) ?? '',
      // A county directly under its province has no city.
      city: cityCode.endsWith('0000') ? '' : (pools.nameOf.get(cityCode) ?? ''),
      area: county.name ?? '',
      nation: nation.name ?? '',
      political,
      education,
      degree: DEGREES[education] ?? '无',
      school: school.院校名称 ?? '',
      major: major.name ?? '',
      graduateDate,
      awkwardCase: kase,
      expected,
    }
    if (kase === 'duplicate_person') {
      const other = pick(done)
      const row = (doneRows.get(other) ?? 0) + 2
      return { ...candidate, name: other.name, idType: other.idType, idCard: other.idCard, expected: `${expected}(第 ${row} 行)` }
    }
    if (kase === '') {
      done.push(candidate)
      doneRows.set(candidate, index)
      if (done.length > 4000) done.shift()
    }
    return candidate
  }
  return Array.from({ length: options.count }, (_, index) => one(index))
}
