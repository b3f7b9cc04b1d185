import type { ISettings } from 'powerbi-models'
import type { EmbeddedVisual } from '../../embed-contract.ts'
import { el } from './dom.ts'
import { type MenuOwner, openMenu } from './visual-menu.ts'

/** The button of a visual's menu. */
export function createMenuButton(owner: MenuOwner): HTMLButtonElement {
  const button = el(
    'button',
    {
      type: 'button',
      class: 'more',
      'aria-label': `Mais opções: ${owner.visual().title}`,
      title: 'Mais opções',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    },
    '⋯',
  )
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-expanded') !== 'true') openMenu(button, owner)
  })
  return button
}

/** Power BI's `visualSettings.visualHeaders`: the last entry about the visual counts; one without a selector is about all. */
export function showsHeader({ visualSettings }: ISettings, { name, type }: EmbeddedVisual): boolean {
  const entries: unknown = visualSettings?.visualHeaders
  if (!Array.isArray(entries)) return true
  const about = entries.findLast((entry) => {
    const { visualName, visualType } = entry?.selector ?? {}
    if (visualName !== undefined) return visualName === name
    return visualType === undefined || visualType === type
  })
  return about?.settings?.visible !== false
}
