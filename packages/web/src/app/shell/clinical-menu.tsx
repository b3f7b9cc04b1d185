import { useQuery } from '@tanstack/react-query'
import { NavLink } from 'react-router'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { clinicalLinksOf } from '../../lib/navigation/clinical-links.ts'
import classes from './clinical-menu.module.css'
import menu from './menu.module.css'

/** Links to the pages on medical records that the person may open. */
export const ClinicalMenu = () => {
  const { data: user } = useQuery(currentUserQuery)
  const links = clinicalLinksOf(user)
  if (links.length === 0) return null
  return (
    <section aria-label="Prontuários" className={classes.clinical}>
      <h2 className={classes.title}>Prontuários</h2>
      <ul className={menu.list}>
        {links.map(({ label, to }) => (
          <li key={to}>
            <NavLink to={to} end className={menu.link}>
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
