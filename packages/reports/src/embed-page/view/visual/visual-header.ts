import type { ISettings } from 'powerbi-models'
import type { EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { buttonWith } from '../style/dom.ts'
import { type MenuOwner, openMenu } from './visual-menu.ts'

/** Creates the button of a visual's menu. */
export const createMenuButton = (owner: MenuOwner): HTMLButtonElement => {
  const open = () => {
    if (button.getAttribute('aria-expanded') !== 'true') openMenu(button, owner)
  }
  const button = buttonWith(
    open,
    {
      class: 'more',
      'aria-label': `Mais opções: ${owner.visual().title}`,
      title: 'Mais opções',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    },
    '⋯',
  )
  return button
}

/**
 * Returns whether Power BI's `visualSettings.visualHeaders` shows the header: the last entry for
 * the visual decides; one without a selector is for all.
 */
export const showsHeader = ({ visualSettings }: ISettings, { name, type }: EmbeddedVisual): boolean => {
  const entries: unknown = visualSettings?.visualHeaders
  if (!Array.isArray(entries)) return true
  const about = entries.findLast((entry) => {
    const { visualName, visualType } = entry?.selector ?? {}
    if (visualName !== undefined) return visualName === name
    return visualType === undefined || visualType === type
  })
  return about?.settings?.visible !== false
}
