import { NavLink } from 'react-router'
import shared from '../../ui/shared.module.css'
import classes from './menu.module.css'

interface MenuLinksProps {
  links: readonly { label: string; to: string; name?: string }[]
  /** Follows a link's label in its accessible name, unless the link has a name. */
  section?: string
  className?: string | undefined
}

export const MenuLinks = ({ links, section, className = shared.menuList }: MenuLinksProps) => (
  <ul className={className}>
    {links.map(({ label, to, name = section && `${label} ${section}` }) => (
      <li key={to}>
        <NavLink to={to} end className={classes.link} aria-label={name}>
          {label}
        </NavLink>
      </li>
    ))}
  </ul>
)
