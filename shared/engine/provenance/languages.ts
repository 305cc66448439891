/** The languages of the world that are written most, whose words for months and numbers the platform knows (CLDR). */
export const languages = (
  'en de fr es it pt nl pl sv da nb fi cs sk hu ro hr bg el tr ru uk vi id ms sw hi bn ar fa he th ' +
  'ca gl sr sl lt lv et mr gu ta te pa ur kk'
).split(' ')
