import type { Label } from '#contract/kernel/label.ts'

/** The accessibility statement (WCAG 2.2 AA; GB/T 37668-2019). Each line says how it is known. */
export const accessibilityLines: readonly { readonly what: Label; readonly how: Label }[] = [
  {
    what: { zh: '目标：WCAG 2.2 AA（对应 GB/T 37668-2019 二级）', en: 'Goal: WCAG 2.2 AA' },
    how: {
      zh: '发布前自动测试：全部页面 axe-core 检查、三种主题对比度',
      en: 'Automatic tests of each release: axe-core on every page, contrast in three themes',
    },
  },
  {
    what: { zh: '全键盘可用', en: 'Everything works by keyboard' },
    how: {
      zh: '发布前自动测试：列表和审核工作台只用键盘走完',
      en: 'Automatic tests of each release: lists and the review desk by keyboard alone',
    },
  },
  {
    what: { zh: '窄屏和放大 200 % 不需横向滚动', en: 'No sideways scrolling on narrow screens and at 200 %' },
    how: { zh: '发布前自动测试：考生端七种屏幕', en: 'Automatic tests of each release: seven screens of the portal' },
  },
  {
    what: { zh: '验证码有不看图的方式', en: 'The captcha has a way without seeing a picture' },
    how: { zh: '登录页可改用浏览器计算', en: 'The browser may do a piece of work instead' },
  },
  {
    what: { zh: '合理便利可在报名时申请', en: 'Accommodation can be asked for with the sign-up' },
    how: {
      zh: '申请进入排座：无障碍考场、低楼层、延时',
      en: 'It is followed by the draw of seats: accessible rooms, low floors, more time',
    },
  },
  {
    what: { zh: '已知不足：流程设计器和报表设计器以鼠标为主', en: 'Known gap: designers of processes and reports are made for the mouse' },
    how: { zh: '同样的设置可由导入完成', en: 'The same can be set up by an import' },
  },
]
