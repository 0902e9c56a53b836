import { foldWidth } from '../kernel/fold-width.ts'
import type { Label } from '../kernel/label.ts'
import {
  checkDocument,
  type DocumentFacts,
  foldIdCard,
  idCardMessages,
  isCalendarDate,
  isPassportNumber,
  isTooYoung,
  tooYoungMessage,
} from './id-card.ts'

/** ISO 3166-1: the three letters of a country as passports have them, and the two by which the platform knows its name. */
const codes =
  'AFGAF ALAAX ALBAL DZADZ ASMAS ANDAD AGOAO AIAAI ATAAQ ATGAG ARGAR ARMAM ABWAW AUSAU AUTAT AZEAZ BHSBS BHRBH BGDBD BRBBB BLRBY BELBE BLZBZ BENBJ ' +
  'BMUBM BTNBT BOLBO BESBQ BIHBA BWABW BVTBV BRABR IOTIO BRNBN BGRBG BFABF BDIBI CPVCV KHMKH CMRCM CANCA CYMKY CAFCF TCDTD CHLCL CHNCN CXRCX CCKCC ' +
  'COLCO COMKM COGCG CODCD COKCK CRICR CIVCI HRVHR CUBCU CUWCW CYPCY CZECZ DNKDK DJIDJ DMADM DOMDO ECUEC EGYEG SLVSV GNQGQ ERIER ESTEE SWZSZ ETHET ' +
  'FLKFK FROFO FJIFJ FINFI FRAFR GUFGF PYFPF ATFTF GABGA GMBGM GEOGE DEUDE GHAGH GIBGI GRCGR GRLGL GRDGD GLPGP GUMGU GTMGT GGYGG GINGN GNBGW GUYGY ' +
  'HTIHT HMDHM VATVA HNDHN HKGHK HUNHU ISLIS INDIN IDNID IRNIR IRQIQ IRLIE IMNIM ISRIL ITAIT JAMJM JPNJP JEYJE JORJO KAZKZ KENKE KIRKI PRKKP KORKR ' +
  'KWTKW KGZKG LAOLA LVALV LBNLB LSOLS LBRLR LBYLY LIELI LTULT LUXLU MACMO MDGMG MWIMW MYSMY MDVMV MLIML MLTMT MHLMH MTQMQ MRTMR MUSMU MYTYT MEXMX ' +
  'FSMFM MDAMD MCOMC MNGMN MNEME MSRMS MARMA MOZMZ MMRMM NAMNA NRUNR NPLNP NLDNL NCLNC NZLNZ NICNI NERNE NGANG NIUNU NFKNF MKDMK MNPMP NORNO OMNOM ' +
  'PAKPK PLWPW PSEPS PANPA PNGPG PRYPY PERPE PHLPH PCNPN POLPL PRTPT PRIPR QATQA REURE ROURO RUSRU RWARW BLMBL SHNSH KNAKN LCALC MAFMF SPMPM VCTVC ' +
  'WSMWS SMRSM STPST SAUSA SENSN SRBRS SYCSC SLESL SGPSG SXMSX SVKSK SVNSI SLBSB SOMSO ZAFZA SGSGS SSDSS ESPES LKALK SDNSD SURSR SJMSJ SWESE CHECH ' +
  'SYRSY TWNTW TJKTJ TZATZ THATH TLSTL TGOTG TKLTK TONTO TTOTT TUNTN TURTR TKMTM TCATC TUVTV UGAUG UKRUA AREAE GBRGB USAUS UMIUM URYUY UZBUZ VUTVU ' +
  'VENVE VNMVN VGBVG VIRVI WLFWF ESHEH YEMYE ZMBZM ZWEZW'
const alpha2Of: ReadonlyMap<string, string> = new Map(codes.split(' ').map(code => [code.slice(0, 3), code.slice(3)]))
export const countryCodes: readonly string[] = [...alpha2Of.keys()]

/** Names that an authority in China writes otherwise than the platform does. */
const official: Readonly<Record<string, Label>> = { TWN: { zh: '中国台湾', en: 'Taiwan, China' } }

/** The name of a country or region in the reader's language; a code that is none stands for itself. */
export const countryName = (code: string, lang: 'zh' | 'en'): string =>
  official[code]?.[lang] ??
  new Intl.DisplayNames(lang === 'zh' ? 'zh-Hans' : 'en', { type: 'region' }).of(alpha2Of.get(code) ?? 'ZZ') ??
  code

/** A passport's number says neither of these, so whoever has one types them. */
export const passportParts = ['nationality', 'birthday', 'sex'] as const
export type PassportPart = (typeof passportParts)[number]

const messages = {
  idCard: { zh: '护照号码应为 5 至 20 位字母或数字', en: 'A passport number has 5 to 20 letters and digits' },
  nationality: { zh: '请选择国籍（护照签发国家或地区）', en: 'Please choose the nationality (the country that issued the passport)' },
  birthday: { zh: '请填写出生日期，如 1990-01-31', en: 'Please give the birth date as 1990-01-31' },
  sex: { zh: '请选择性别', en: 'Please choose the sex' },
} satisfies Readonly<Record<string, Label>>

/** What people say of their document: the number, and of a passport also what its number does not say. */
export interface SaidDocument {
  readonly idCard: string
  /** `4` where people say that it is a passport; of any other document the number itself says which it is. */
  readonly idCardType?: string | undefined
  /** ISO 3166-1 alpha-3. */
  readonly nationality?: string | undefined
  /** `yyyy-MM-dd`. */
  readonly birthday?: string | undefined
  /** 1 male, 2 female. */
  readonly sex?: string | undefined
}

export interface PersonDocument extends DocumentFacts {
  /** Of a passport: the country that issued it, ISO 3166-1 alpha-3. */
  readonly nationality: string | null
}
export interface DocumentProblem {
  readonly field: 'idCard' | PassportPart
  readonly message: Label
}

/** A number that has the shape of an id card is none of a passport, whatever people say. */
export const isSaidPassport = ({ idCard, idCardType }: SaidDocument): boolean =>
  idCardType === '4' && !/^\d{17}[\dA-Z]$/.test(foldIdCard(idCard))

/** What is wrong with the country of a passport. */
export const nationalityProblem = (nationality: string | undefined): Label | undefined =>
  alpha2Of.has(foldIdCard(nationality ?? '')) ? undefined : messages.nationality

/** What is wrong with a document's number alone, where that is asked for and nothing else. */
export const numberProblem = (said: Pick<SaidDocument, 'idCard' | 'idCardType'>, today: string): Label | undefined => {
  if (isSaidPassport(said)) return isPassportNumber(said.idCard) ? undefined : messages.idCard
  const card = checkDocument(said.idCard, today)
  return card.ok ? undefined : idCardMessages[card.problem]
}

/** What is known by a document that was verified before; undefined where something is missing or wrong. */
export const documentFacts = (said: SaidDocument, today: string): PersonDocument | undefined => {
  if (!isSaidPassport(said)) {
    const card = checkDocument(said.idCard, today)
    return card.ok ? { ...card, nationality: null } : undefined
  }
  const { nationality = '', birthday = '', sex } = said
  const isWhole = isPassportNumber(said.idCard) && nationality !== '' && birthday !== '' && (sex === '1' || sex === '2')
  return isWhole ? { ok: true, idCard: foldIdCard(said.idCard), type: '4', nationality, birthday, sex: sex === '1' ? 1 : 2 } : undefined
}

/**
 * Checks what people say of their document, whichever it is, and their age (domain P7).
 * @param today `yyyy-MM-dd` in Asia/Shanghai
 */
export const readDocument = (
  said: SaidDocument,
  today: string,
): { readonly ok: true; readonly document: PersonDocument } | { readonly ok: false; readonly problems: readonly DocumentProblem[] } => {
  const problems: DocumentProblem[] = []
  const put = (field: DocumentProblem['field'], message: Label | undefined) => {
    if (message) problems.push({ field, message })
  }
  put('idCard', numberProblem(said, today))
  const card = checkDocument(said.idCard, today)
  if (card.ok) put('idCard', isTooYoung(card.birthday, today) ? tooYoungMessage : undefined)
  const folded = { ...said, nationality: foldIdCard(said.nationality ?? ''), birthday: foldWidth(said.birthday ?? '') }
  if (isSaidPassport(said)) {
    const { nationality, birthday, sex } = folded
    put('nationality', nationalityProblem(nationality))
    const isDay = isCalendarDate(birthday) && birthday >= '1900-01-01' && birthday <= today
    put('birthday', isDay ? (isTooYoung(birthday, today) ? tooYoungMessage : undefined) : messages.birthday)
    put('sex', sex === '1' || sex === '2' ? undefined : messages.sex)
  }
  const document = problems.length === 0 ? documentFacts(folded, today) : undefined
  return document ? { ok: true, document } : { ok: false, problems }
}

/**
 * What tells a document from every other, for its keyed hash: the number of a card is one in the country, that of a passport one of the country
 * that issued it.
 */
export const documentKey = ({ idCard, nationality }: Pick<PersonDocument, 'idCard' | 'nationality'>): string =>
  nationality === null ? idCard : `4|${nationality}|${idCard}`

/** The keys that a number may have where nobody says which document it is of; none where it can be of none. */
export const documentKeysOf = (text: string, today: string, countries: readonly string[] = countryCodes): string[] => {
  const card = checkDocument(text, today)
  if (card.ok) return [card.idCard]
  const idCard = foldIdCard(text)
  return isPassportNumber(idCard) ? countries.map(nationality => documentKey({ idCard, nationality })) : []
}

/** A passport in one line, for what is sealed as one text and read by staff: `E12345678 FRA 1990-01-31 1`; a card is its number. */
export const documentLine = ({ idCard, nationality, birthday, sex }: PersonDocument): string =>
  nationality === null ? idCard : `${idCard} ${nationality} ${birthday} ${sex}`
export const saidInLine = (line: string): SaidDocument => {
  const [idCard = '', nationality, birthday, sex] = line.split(' ')
  return { idCard, ...(nationality === undefined ? {} : { idCardType: '4' }), nationality, birthday, sex }
}
