import classes from './person-avatar.module.css'

interface PersonAvatarProps {
  name: string
  /** Selects the colour, so that it does not change with the name. */
  id: number
  size?: 'sm' | 'md' | 'lg'
}

/** White text has a contrast of at least 6:1 on each of them. */
const COLOURS = ['#0b5c58', '#3b4a9c', '#7a2e74', '#8a3b12', '#1d5c87', '#4d5b1c']

/** Shows a person's initials. Decorative: the name is shown next to it. */
export const PersonAvatar = ({ name, id, size = 'md' }: PersonAvatarProps) => (
  <span
    className={classes.avatar}
    data-size={size}
    style={{ background: COLOURS[Math.abs(id) % COLOURS.length] }}
    aria-hidden
  >
    {initialsOf(name)}
  </span>
)

/** Returns the initials of the first and the last name: 'AS' for 'Ana Maria de Souza'. */
export const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word = '') => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase('pt-BR')
}
