import type { Label } from '#contract/kernel/label.ts'

/** A province as a tile: about where it lies, as no outline may be drawn without the approval of a map. */
export interface ProvinceTile {
  /** The first two digits of the codes of its regions (GB/T 2260). */
  readonly code: string
  readonly name: Label
  readonly column: number
  readonly row: number
}
const tile = (code: string, zh: string, en: string, column: number, row: number): ProvinceTile => ({
  ...{ code, name: { zh, en }, column, row },
})
export const provinceTiles: readonly ProvinceTile[] = [
  tile('23', '黑龙江', 'Heilongjiang', 9, 1),
  tile('15', '内蒙古', 'Inner Mongolia', 6, 2),
  tile('21', '辽宁', 'Liaoning', 8, 2),
  tile('22', '吉林', 'Jilin', 9, 2),
  tile('65', '新疆', 'Xinjiang', 1, 3),
  tile('62', '甘肃', 'Gansu', 3, 3),
  tile('64', '宁夏', 'Ningxia', 4, 3),
  tile('14', '山西', 'Shanxi', 5, 3),
  tile('13', '河北', 'Hebei', 6, 3),
  tile('11', '北京', 'Beijing', 7, 3),
  tile('12', '天津', 'Tianjin', 8, 3),
  tile('63', '青海', 'Qinghai', 2, 4),
  tile('61', '陕西', 'Shaanxi', 4, 4),
  tile('41', '河南', 'Henan', 5, 4),
  tile('37', '山东', 'Shandong', 6, 4),
  tile('32', '江苏', 'Jiangsu', 7, 4),
  tile('54', '西藏', 'Tibet', 1, 5),
  tile('51', '四川', 'Sichuan', 3, 5),
  tile('50', '重庆', 'Chongqing', 4, 5),
  tile('42', '湖北', 'Hubei', 5, 5),
  tile('34', '安徽', 'Anhui', 6, 5),
  tile('31', '上海', 'Shanghai', 7, 5),
  tile('53', '云南', 'Yunnan', 3, 6),
  tile('52', '贵州', 'Guizhou', 4, 6),
  tile('43', '湖南', 'Hunan', 5, 6),
  tile('36', '江西', 'Jiangxi', 6, 6),
  tile('33', '浙江', 'Zhejiang', 7, 6),
  tile('45', '广西', 'Guangxi', 4, 7),
  tile('44', '广东', 'Guangdong', 5, 7),
  tile('35', '福建', 'Fujian', 6, 7),
  tile('71', '台湾', 'Taiwan', 7, 7),
  tile('46', '海南', 'Hainan', 4, 8),
  tile('82', '澳门', 'Macao', 5, 8),
  tile('81', '香港', 'Hong Kong', 6, 8),
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
