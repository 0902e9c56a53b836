import type { Page } from 'playwright-core'

const told = new Set(
  'heading link button textbox searchbox combobox checkbox radio switch spinbutton status alert dialog progressbar group radiogroup Date DisclosureTriangle'.split(
    ' ',
  ),
)

interface Node {
  readonly nodeId: string
  readonly ignored: boolean
  readonly role?: { readonly value?: string }
  readonly name?: { readonly value?: string }
  readonly description?: { readonly value?: string }
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[]
  readonly childIds?: readonly string[]
}

/**
 * What a screen reader tells of a page, in its order, as the browser hands it over: role, name, then what makes a difference (required, wrong,
 * ticked, expanded, the current step, what is announced by itself) and the description behind it.
 */
export const spoken = async (page: Page): Promise<string[]> => {
  const cdp = await page.context().newCDPSession(page)
  const { nodes } = (await cdp.send('Accessibility.getFullAXTree')) as { readonly nodes: readonly Node[] }
  await cdp.detach()
  const byId = new Map(nodes.map(node => [node.nodeId, node]))
  const lines: string[] = []
  const walk = (node: Node): void => {
    const role = node.role?.value ?? ''
    const property = (name: string) => node.properties?.find(one => one.name === name)?.value.value
    if (!node.ignored && told.has(role)) {
      const states = [
        property('required') === true ? 'required' : '',
        property('invalid') === 'true' ? 'wrong' : '',
        property('checked') === 'true' ? 'ticked' : '',
        property('expanded') === undefined ? '' : property('expanded') === true ? 'open' : 'shut',
        property('focused') === true ? 'focused' : '',
      ].filter(Boolean)
      const text = [role, node.name?.value ?? '', ...states].join(' ').replaceAll(/\s+/g, ' ').trim()
      lines.push(node.description?.value ? `${text} (${node.description.value.replaceAll(/\s+/g, ' ')})` : text)
    }
    for (const id of node.childIds ?? []) {
      const child = byId.get(id)
      if (child) walk(child)
    }
  }
  const [root] = nodes
  if (root) walk(root)
  return lines
}
