import { useQuery } from '@tanstack/react-query'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { clinicalLinksOf } from '../../lib/navigation/clinical-links.ts'
import shared from '../../ui/shared.module.css'
import menu from './menu.module.css'
import { MenuLinks } from './menu-links.tsx'

/** Links to the pages on medical records. The landmark 'Prontuários' is the clinical panel. */
export const ClinicalMenu = () => {
  const { data: user } = useQuery(currentUserQuery)
  const links = clinicalLinksOf(user)
  if (links.length === 0) return null
  return (
    <div className={menu.part}>
      <h2 className={shared.menuTitle}>Prontuários</h2>
      <MenuLinks links={links} />
    </div>
  )
}
