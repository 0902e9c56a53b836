import { text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'
import { idPattern } from '../kernel/schema.ts'

/** What a tenant may have of the program (S2.47, S3.04): a set of menus that caps the rights of all its roles while it is assigned. */
export const tenantPackage = defineResource({
  name: 'tenant-package',
  ownRules: true,
  basePath: '/blade-system/tenant-package',
  menuPath: '/system/tenant-package',
  label: { zh: '租户套餐', en: 'Tenant package' },
  nulls: 'empty',
  scope: 'platform',
  because: 'a package bounds other tenants',
  choice: ['packageName'],
  fields: {
    packageName: text(60, {
      label: { zh: '套餐名称', en: 'Package name' },
      required: true,
      requiredMessage: { zh: '请输入产品包名称', en: 'Please enter the package name' },
      search: 'like',
      unique: true,
    }),
    menuId: text(20_000, {
      label: { zh: '菜单', en: 'Menus' },
      required: true,
      requiredMessage: { zh: '请选择菜单', en: 'Please select the menus' },
      pattern: `^${idPattern}(,${idPattern})*$`,
      list: false,
    }),
    remark: text(255, { label: { zh: '备注', en: 'Remark' }, widget: 'textarea' }),
  },
})
