import { Link } from 'react-router'
import { adminSections } from '../../lib/navigation/admin-links.ts'
import shared from '../../ui/shared.module.css'
import classes from './home-page.module.css'

export const AdminCard = () => (
  <section aria-labelledby="administracao" className={classes.card}>
    <h2 id="administracao" className={shared.heading}>
      Administração
    </h2>
    <ul className={classes.adminSections}>
      {adminSections.map(({ title, phoneTitle, links }) => (
        <li key={title}>
          <h3 className={classes.cardHeading}>{phoneTitle}</h3>
          <ul className={classes.adminLinks}>
            {links.map(({ label, to, name }) => (
              <li key={to}>
                <Link to={to} className={classes.adminLink} aria-label={name ?? `${label} ${phoneTitle}`}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </section>
)
