import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskAddress, maskEmail, maskIdCard, maskIdCardBesideBirthday, maskName, maskPhone, maskTicketNo } from './mask.ts'

describe('masks', () => {
  it.each([
    ['张伟', '张*'],
    ['张建国', '张**'],
    ['欧阳娜', '欧阳*'],
    ['欧阳行舟', '欧阳**'],
    ['司马', '司*'],
    ['阿卜杜拉·买买提', '阿卜杜拉·***'],
    ['阿卜杜·哈斯', '阿卜杜·**'],
    ['阿依古丽·吐尔逊·买买提', '阿依古丽·***·***'],
    ['李𬭎', '李*'],
    ['𠮷野明', '𠮷**'],
    ['Maria Fernández', 'Maria *********'],
    ['', ''],
  ])('name %s → %s', (name, masked) => expect(maskName(name)).toBe(masked))

  it.each([
    [maskIdCard('33010619950812301X'), '3301**********301X'],
    [maskIdCard('330106199508123019', 'region'), '330106********3019'],
    [maskIdCardBesideBirthday(maskIdCard('330106199508123019')), '3301**************'],
    [maskIdCardBesideBirthday(maskIdCard('E12345678')), 'E1*****78'],
    [maskIdCard('12345678'), '********'],
    [maskPhone('13800000001'), '138****0001'],
    [maskPhone('13812345678'), '138****5678'],
    [maskPhone('12345'), '*****'],
    [maskEmail('zhang@x.cn'), 'z***@x.cn'],
    [maskEmail('z@x.cn'), 'z***@x.cn'],
    [maskEmail('nobody'), '***'],
    [maskTicketNo('260301012173'), '2603****2173'],
    [maskTicketNo('123456'), '******'],
    [maskAddress('浙江省杭州市西湖区文三路 1 号'), '浙江省杭州市西湖区****'],
    [maskAddress('北京市东城区景山前街 4 号'), '北京市东城区****'],
    [maskAddress('海南省保亭黎族苗族自治县某路'), '海南省保亭黎族苗族自治县****'],
    [maskAddress('浙江省杭州市西湖区'), '浙江省杭州市西湖区'],
    [maskAddress('文三路 1 号'), '****'],
  ])('%s is %s', (masked, expected) => expect(masked).toBe(expected))

  it('shows no more than 4 and 4 of an 18-character number, and 3 and 4 of a phone', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{18}$/), fc.stringMatching(/^1\d{10}$/), (idCard, phone) => {
        expect(maskIdCard(idCard)).toBe(`${idCard.slice(0, 4)}**********${idCard.slice(14)}`)
        expect(maskPhone(phone)).toBe(`${phone.slice(0, 3)}****${phone.slice(7)}`)
      }),
    )
  })
})
