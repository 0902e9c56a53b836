import { definePages } from '#web/console/page-entry.ts'

export const pages = definePages([
  { path: '/pay/examPay', title: { zh: '应缴', en: 'Dues' }, load: () => import('./dues-page.tsx'), section: 'fees' },
  { path: '/pay/payOrder', title: { zh: '订单', en: 'Orders' }, load: () => import('./orders-page.tsx'), section: 'fees' },
  { path: '/pay/payAccount', title: { zh: '收款账户', en: 'Merchant account' }, load: () => import('./account-page.tsx') },
  { path: '/pay/reconciliation', title: { zh: '对账', en: 'Reconciliation' }, load: () => import('./reconciliation-page.tsx') },
  { path: '/pay/exportpaymain', title: { zh: '解缴名单', en: 'Lists handed over' }, load: () => import('./export-lists-page.tsx') },
  { path: '/pay/feeWaiver', title: { zh: '费用减免', en: 'Fee waivers' }, load: () => import('./waiver-page.tsx'), section: 'fees' },
  { path: '/pay/invoice', title: { zh: '票据', en: 'Receipts' }, load: () => import('./invoices-page.tsx') },
  { path: '/pay/payRefund', title: { zh: '退费', en: 'Refunds' }, load: () => import('./refunds-page.tsx'), section: 'fees' },
  {
    path: '/pay/examPay/:id',
    title: { zh: '应缴详情', en: 'Due' },
    access: { under: '/pay/examPay' },
    load: () => import('./due-page.tsx'),
  },
  {
    path: '/pay/payOrder/:id',
    title: { zh: '订单详情', en: 'Order' },
    access: { under: '/pay/payOrder' },
    load: () => import('./order-page.tsx'),
  },
  {
    path: '/pay/payRefund/:id',
    title: { zh: '退费详情', en: 'Refund' },
    access: { under: '/pay/payRefund' },
    load: () => import('./refund-page.tsx'),
  },
])
