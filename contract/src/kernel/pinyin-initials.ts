/** First characters of the syllables of each initial, in the order of a pinyin collation; no syllable begins with i, u or v. */
const firsts: readonly (readonly [initial: string, first: string])[] = (
  'b八 c嚓 d咑 e妸 f发 g旮 h哈 j丌 k咔 l垃 m妈 n拏 o噢 p妑 q七 r呥 s仨 t他 w穵 x夕 y丫 z帀'.split(' ') as readonly string[]
).map(one => [one.slice(0, 1), one.slice(1)])

/** Characters that are read in two ways, as names of places, people, posts and units have them: whichever is typed is taken. */
export const readings: ReadonlyMap<string, readonly string[]> = new Map(
  (
    '重zc 长cz 行xh 乐ly 单ds 厦xs 藏cz 沈sc 会hk 调dt 弹dt 朝cz 传cz 降jx 系xj 校xj 薄bp 盛sc 曾zc 仇cq 解jx 查cz 区qo 朴pb 尉wy 石sd 蔚wy 万wm ' +
    '洗xs 翟dz 召zs 叶yx 便bp 番fp 泊bp 铅qy 贾jg 宿sx 省sx 什sj 识sz 属sz 术sz 提td 圈qj 强qj 秘mb 折zs 卡kq 壳kq 期qj 奇qj 稽jq 率ls 参cs ' +
    '畜cx 臭cx 刹cs 禅cs 伺cs 幢cz 颤cz 粘zn 种zc 殖zs 吓xh 红hg 镐gh 柜gj 桧gh 龟gjq 车cj 瀑pb 屏pb 堡bp 辟pb 埔pb 恶ew 阿ae 冯fp 否fp 佛fb ' +
    '咖kg 茄jq 伽jqg 芥jg 浚jx 澄cd 匙cs 弄nl 蔓mw 尿ns 铛dc 囤dt 遗yw 尾wy 隗wk 筠yj 艾ay 咽y 轧yzg 覃tq 繁fp 谌cs 隽jz 亟jq 纶lg 祭jz 吁xy 合hg ' +
    '厘lx 曲q 缪mp 戏xh 巷xh 虾xh 仔z 脯pf 蛤hg 槛kj 咯lk 咳kh 洞dt 陶ty 叨dt 读d 俞ys 臧zc 柏b 冼x 员y 说sy 食sy 拾s 似s 著z 黑h 娜n 数s'
  )
    .split(' ')
    .map(one => [one.slice(0, 1), Array.from(one.slice(1))] as const),
)

let collator: Intl.Collator | undefined
/** Letters that a character's pinyin may begin with, the usual one first; none for what is no common ideograph. */
export const initialsOfCharacter = (character: string): readonly string[] => {
  if (!/[\u4E00-\u9FFF]/.test(character)) return []
  const known = readings.get(character)
  if (known) return known
  collator ??= new Intl.Collator('zh-Hans-CN-u-co-pinyin')
  const compare = collator.compare.bind(collator)
  return [firsts.findLast(([, first]) => compare(first, character) <= 0)?.[0] ?? 'a']
}

/** More ways of reading a text than this are not kept: characters that come later then count by their usual reading. */
const mostWays = 16

/**
 * First letters of the pinyin of a text, one word for each way to read it: 参数管理 gives `csgl`, 重庆 gives `zq` and `cq`. The collation that the
 * browser and the server have knows them, so no dictionary is loaded. Letters and digits stand for themselves, everything else for nothing.
 */
export const pinyinInitials = (text: string): readonly string[] => {
  let ways = ['']
  for (const character of text.normalize('NFKC').toLowerCase()) {
    const letters = /[a-z0-9]/.test(character) ? [character] : initialsOfCharacter(character)
    if (letters.length === 0) continue
    const taken = ways.length * letters.length > mostWays ? letters.slice(0, 1) : letters
    ways = ways.flatMap(way => taken.map(letter => way + letter))
  }
  return ways
}
