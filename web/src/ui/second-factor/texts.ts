import { defineTexts } from '../../kernel/i18n/index.ts'

export const secondFactorTexts = defineTexts(
  {
    'qr.alt': '二维码：用验证器应用扫描',
    scan: '用手机上的验证器应用（如 Microsoft Authenticator、Google Authenticator 或微信里的验证器小程序）扫描二维码。',
    manual: '不能扫描？在应用中选择手动输入，密钥：',
    copy: '复制',
    copied: '已复制',
    notCopied: '不能复制，请手动选择文字复制',
    download: '下载',
    'codes.title': '恢复码',
    'codes.lead': '手机丢失时，每个恢复码可代替验证码登录一次。只显示这一次，请打印或存放在安全的地方。',
    'codes.list': '恢复码列表',
    'codes.file': '考谱恢复码',
  },
  {
    'qr.alt': 'QR code for the authenticator app',
    scan: 'Scan the picture with an authenticator app on your phone, such as Microsoft Authenticator or Google Authenticator.',
    manual: 'No camera? Choose to type the key in the app:',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'It could not be copied; select the text and copy it',
    download: 'Download',
    'codes.title': 'Recovery codes',
    'codes.lead':
      'When the phone is lost, each of them logs you in once instead of a code. They are shown this once only: print them or keep them somewhere safe.',
    'codes.list': 'List of recovery codes',
    'codes.file': 'kaopu-recovery-codes',
  },
)
