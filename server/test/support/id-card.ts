/** Id number with a right check digit on an area code that was never assigned, different for every call. */
export const testIdCard = (serial: number, birthday = '19950505', sex: 1 | 2 = 2): string => {
  const first17 = `330199${birthday}${String((serial * 2 + (sex === 1 ? 1 : 0)) % 1000).padStart(3, '0')}`
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((total, weight, index) => total + weight * Number(first17[index]), 0)
  return first17 + '10X98765432'[sum % 11]
}
