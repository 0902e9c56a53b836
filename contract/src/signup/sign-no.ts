/** 报名序号: year (4), number of the examination (2), running number (8). `signNo(2026, 3, 1)` = `20260300000001`. */
export const signNo = (year: number, examNo: number, sequence: number): string => {
  if (sequence < 1 || sequence > 99_999_999) throw new Error(`the running number ${sequence} has no eight digits`)
  return `${year}${String(examNo).padStart(2, '0')}${String(sequence).padStart(8, '0')}`
}
