import classes from './person-avatar.module.css'

interface PersonAvatarProps {
  name: string
  /** Selects the colour, so that it does not change with the name. */
  id: number
  size?: 'md' | 'lg'
}

const COLOURS = 6

/** Shows a person's initials. Decorative: the name is shown next to it. */
export const PersonAvatar = ({ name, id, size = 'md' }: PersonAvatarProps) => (
  <span className={classes.avatar} data-size={size} data-colour={Math.abs(id) % COLOURS} aria-hidden>
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
