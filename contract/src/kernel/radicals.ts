/**
 * The ideographs that look like the radicals U+2E81 to U+2EF3, in their order, with a space for U+2E9A, which is no character: the property
 * Equivalent_Unified_Ideograph of Unicode. Those of U+2F00 to U+2FD5 have theirs as compatibility forms.
 */
const supplement = [
  ...('厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵 旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋' +
    '耂肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙' +
    '龜亀龟'),
]

const radicals = /[\u2E81-\u2EF3\u2F00-\u2FD5]/g

/** A text with ideographs for the radicals that copied PDF text has in their place: \u2EE9 is 黄, \u2F26 is 子. */
export const withoutRadicals = (text: string): string =>
  text.replace(radicals, radical => {
    const code = radical.charCodeAt(0)
    return code >= 0x2f00 ? radical.normalize('NFKC') : (supplement[code - 0x2e81] ?? ' ').replace(' ', radical)
  })
