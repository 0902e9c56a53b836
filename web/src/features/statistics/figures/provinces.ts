import type { Label } from '#contract/kernel/label.ts'

/** A province as a tile: about where it lies, as no outline may be drawn without the approval of a map. */
export interface ProvinceTile {
  /** The first two digits of the codes of its regions (GB/T 2260). */
  readonly code: string
  readonly name: Label
  /** As it fits on a tile of a phone: in English the letters of ISO 3166-2. */
  readonly short: Label
  readonly column: number
  readonly row: number
}
const tile = (code: string, zh: string, en: string, iso: string, column: number, row: number): ProvinceTile => ({
  ...{ code, name: { zh, en }, short: { zh, en: iso }, column, row },
})
export const provinceTiles: readonly ProvinceTile[] = [
  tile('23', '黑龙江', 'Heilongjiang', 'HL', 9, 1),
  tile('15', '内蒙古', 'Inner Mongolia', 'NM', 6, 2),
  tile('21', '辽宁', 'Liaoning', 'LN', 8, 2),
  tile('22', '吉林', 'Jilin', 'JL', 9, 2),
  tile('65', '新疆', 'Xinjiang', 'XJ', 1, 3),
  tile('62', '甘肃', 'Gansu', 'GS', 3, 3),
  tile('64', '宁夏', 'Ningxia', 'NX', 4, 3),
  tile('14', '山西', 'Shanxi', 'SX', 5, 3),
  tile('13', '河北', 'Hebei', 'HE', 6, 3),
  tile('11', '北京', 'Beijing', 'BJ', 7, 3),
  tile('12', '天津', 'Tianjin', 'TJ', 8, 3),
  tile('63', '青海', 'Qinghai', 'QH', 2, 4),
  tile('61', '陕西', 'Shaanxi', 'SN', 4, 4),
  tile('41', '河南', 'Henan', 'HA', 5, 4),
  tile('37', '山东', 'Shandong', 'SD', 6, 4),
  tile('32', '江苏', 'Jiangsu', 'JS', 7, 4),
  tile('54', '西藏', 'Tibet', 'XZ', 1, 5),
  tile('51', '四川', 'Sichuan', 'SC', 3, 5),
  tile('50', '重庆', 'Chongqing', 'CQ', 4, 5),
  tile('42', '湖北', 'Hubei', 'HB', 5, 5),
  tile('34', '安徽', 'Anhui', 'AH', 6, 5),
  tile('31', '上海', 'Shanghai', 'SH', 7, 5),
  tile('53', '云南', 'Yunnan', 'YN', 3, 6),
  tile('52', '贵州', 'Guizhou', 'GZ', 4, 6),
  tile('43', '湖南', 'Hunan', 'HN', 5, 6),
  tile('36', '江西', 'Jiangxi', 'JX', 6, 6),
  tile('33', '浙江', 'Zhejiang', 'ZJ', 7, 6),
  tile('45', '广西', 'Guangxi', 'GX', 4, 7),
  tile('44', '广东', 'Guangdong', 'GD', 5, 7),
  tile('35', '福建', 'Fujian', 'FJ', 6, 7),
  tile('71', '台湾', 'Taiwan', 'TW', 7, 7),
  tile('46', '海南', 'Hainan', 'HI', 4, 8),
  tile('82', '澳门', 'Macao', 'MO', 5, 8),
  tile('81', '香港', 'Hong Kong', 'HK', 6, 8),
]

/** A region of the table, a city or a province as a whole, with how many come from it; null where that must not be said. */
export interface RegionCount {
  readonly code: string | null
  readonly name: string
  readonly people: number | null
}
export interface ProvinceCount {
  readonly tile: ProvinceTile
  /** Null as soon as one of its regions must not be said: it would follow from the sum. */
  readonly people: number | null
  readonly regions: readonly RegionCount[]
}

const most = (one: RegionCount, other: RegionCount): number => (other.people ?? 0) - (one.people ?? 0)

/** The regions of a table by province, in the order of the tiles, and those of no province: nobody said, or from abroad. */
export const byProvince = (
  regions: readonly RegionCount[],
): { readonly provinces: readonly ProvinceCount[]; readonly others: readonly RegionCount[] } => {
  const codes = new Set(provinceTiles.map(one => one.code))
  const provinceOf = (region: RegionCount): string => region.code?.slice(0, 2) ?? ''
  return {
    provinces: provinceTiles.map(one => {
      const own = regions.filter(region => provinceOf(region) === one.code).sort(most)
      const people = own.some(region => region.people === null) ? null : own.reduce((sum, region) => sum + (region.people ?? 0), 0)
      return { tile: one, people, regions: own }
    }),
    others: regions.filter(region => !codes.has(provinceOf(region))).sort(most),
  }
}
