/** Masks for lists, exports, logs and errors (domain P5, 11.1). One star stands for one hidden character, so nothing is shown twice. */

/** Compound family names: two characters that belong together (欧阳娜 → 欧阳*). */
const COMPOUND = new Set(
  (
    '欧阳 百里 淳于 澹台 第五 东方 东郭 独孤 端木 段干 公良 公孙 公西 公羊 公冶 谷梁 赫连 呼延 皇甫 夹谷 乐正 梁丘 令狐 闾丘 慕容 纳兰 ' +
    '南宫 南门 濮阳 漆雕 亓官 壤驷 单于 上官 申屠 司空 司寇 司马 司徒 太史 太叔 拓跋 完颜 万俟 微生 尉迟 闻人 巫马 西门 夏侯 鲜于 轩辕 ' +
    '羊舌 宇文 宰父 长孙 钟离 仲孙 诸葛 颛孙 宗政 左丘'
  ).split(' '),
)

const stars = (count: number): string => '*'.repeat(Math.max(count, 0))

/** 张伟 → 张*, 欧阳娜 → 欧阳*, 阿卜杜拉·买买提 → 阿卜杜拉·***, Maria Fernández → Maria *********. */
export function maskName(name: string): string {
  const chars = [...name]
  const cut = chars.findIndex(char => char === '·' || char === ' ')
  if (cut > 0) {
    return chars.map((char, i) => (i <= cut || char === '·' || char === ' ' ? char : '*')).join('')
  }
  const shown = chars.length > 2 && COMPOUND.has(chars.slice(0, 2).join('')) ? 2 : 1
  return chars.slice(0, shown).join('') + stars(chars.length - shown)
}

/** Passports: E12345678 → E1*****78. They are shorter, and so little of them is shown. */
const maskPassport = (number: string): string => {
  const head = number.length < 7 ? 1 : 2
  return number.slice(0, head) + stars(number.length - head - 2) + number.slice(-2)
}

/** First 4 and last 4 of 18: 330106********301X is for reviewers who need the region, all others see 3301**********301X. */
export function maskIdCard(idCard: string, keep: 'least' | 'region' = 'least'): string {
  if (idCard.length !== 18 && /^(?=.*[A-Z]|.{9})[\dA-Z*]{5,20}$/.test(idCard)) return maskPassport(idCard)
  const head = keep === 'region' ? 6 : 4
  return idCard.length <= head + 4 ? stars(idCard.length) : idCard.slice(0, head) + stars(idCard.length - head - 4) + idCard.slice(-4)
}

/**
 * 3301**************: the same mask where the date of birth stands beside it. That date is the middle of the number, and of 3301**********301X
 * with it only the district would be missing, which the check digit gives away.
 * @param mask - what `maskIdCard` made, or a whole number; documents that are not of 18 characters tell no date and stay as they are
 */
export const maskIdCardBesideBirthday = (mask: string): string => (mask.length === 18 ? mask.slice(0, 4) + stars(14) : mask)

/** 138****0001. */
export const maskPhone = (phone: string): string =>
  phone.length < 8 ? stars(phone.length) : phone.slice(0, 3) + stars(phone.length - 7) + phone.slice(-4)

/** zhang@x.cn → z***@x.cn; the stars do not tell the length. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${[...email][0]}***${email.slice(at)}`
}

/** Province, city (both may be missing) and district at the head of an address: 浙江省 杭州市 西湖区, 北京市 东城区. */
const DISTRICT = /^(?:.{2,8}?(?:省|自治区|特别行政区))?(?:.{2,10}?(?:市|自治州|地区|盟))?[^省市]{1,12}?[区县旗市]/u

/** Keeps province, city and district, hides the rest; an address without a recognisable district is hidden whole. */
export function maskAddress(address: string): string {
  const district = DISTRICT.exec(address)?.[0]
  if (district === undefined) return '****'
  return district.length === address.length ? address : `${district}****`
}

/** 260301012173 → 2603****2173, for public lists. */
export const maskTicketNo = (ticketNo: string): string =>
  ticketNo.length <= 8 ? stars(ticketNo.length) : ticketNo.slice(0, 4) + stars(ticketNo.length - 8) + ticketNo.slice(-4)

/** ****1234: the end of an account at a bank, which people compare; the stars do not tell the length. */
const maskBank = (account: string): string => (account.length <= 8 ? '****' : `****${account.slice(-4)}`)

/** 张三丰同学 → 张***: the first character and no word about how many follow. */
function maskText(text: string): string {
  const chars = [...text]
  return chars.length < 2 || /^\*+$/.test(text) ? '***' : `${chars[0]}***`
}

/** The masks that fields have; `none`: such a value is seen or not seen, there is no half of it. */
export type MaskKind = 'name' | 'idCard' | 'phone' | 'email' | 'address' | 'bank' | 'ticketNo' | 'text' | 'none'

/** Every mask leaves what is masked already as it is, so that one more changes nothing. */
export const masks: Readonly<Record<Exclude<MaskKind, 'none'>, (text: string) => string>> = {
  name: maskName,
  idCard: maskIdCard,
  phone: maskPhone,
  email: maskEmail,
  address: maskAddress,
  bank: maskBank,
  ticketNo: maskTicketNo,
  text: maskText,
}
