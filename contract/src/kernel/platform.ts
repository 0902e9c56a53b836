/** The tenant that is platform and district bureau at once (decision 1.5): what stands above all tenants is done in it. */
export const platformTenant = '000000'
