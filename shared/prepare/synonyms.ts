/**
 * Everyday words for the same thing, as they stand in names of tools and parameters and in enumerations: one line each.
 * General language only; a word may stand in several lines. They suggest, they never repair.
 */
const lines = `
get, fetch, retrieve, read, load, obtain, pull, access
show, display, view, print, present, see
search, find, lookup, look up, query, locate, seek, discover
list, enumerate, show all, get all, browse
create, make, add, new, generate, build, insert, register
update, edit, modify, change, alter, revise, adjust, set
delete, remove, erase, drop, destroy, clear, discard
send, deliver, dispatch, submit, post, transmit, mail
calculate, compute, calc, work out, evaluate, determine, estimate
predict, forecast, project, estimate
analyze, analyse, examine, inspect, study, evaluate, assess
check, verify, validate, test, confirm
convert, transform, translate, change
book, reserve, schedule, make reservation
buy, purchase, order, acquire
cancel, abort, call off, revoke, annul, withdraw
start, begin, launch, run, initiate, commence, execute
stop, end, halt, terminate, finish, quit
pause, suspend, hold
resume, continue, restart
complete, finish, done, mark done, accomplish, tick off, check off, completed, finished
open, active, ongoing, live, unresolved, current, in progress
closed, resolved, settled, concluded, finished, shut, done, ended
pending, waiting, in review, awaiting, on hold, queued, outstanding
active, enabled, on, running, live
inactive, disabled, off, dormant
failed, error, unsuccessful, broken
approved, accepted, granted, confirmed
rejected, denied, declined, refused
draft, unfinished, work in progress
archived, stored, old
enable, activate, turn on, switch on
disable, deactivate, turn off, switch off
upload, import
download, export, save
copy, duplicate, clone, replicate
move, transfer, relocate, shift
rename, retitle
join, enter, connect
leave, exit, disconnect
reply, respond, answer
share, publish, distribute
login, log in, sign in, authenticate
logout, log out, sign out
id, identifier, key, code, number, reference, ref, uid
name, title, label, full name
quantity, qty, amount, count, number, how many, total
location, place, city, town, area, address, destination, venue, region, where
country, nation, state
date, day, when, time
start, begin, from, origin, departure, source, since
end, finish, until, to, destination, arrival, target
email, mail, email address, recipient, e mail
to, recipient, receiver, addressee, destination
sender, from, author
subject, title, heading, topic, headline
body, content, text, message, contents
query, q, search, search term, keyword, term, question, prompt, phrase, search query
limit, max, maximum, max results, count, size, top, number, cap
min, minimum, least, lowest, at least
url, link, href, website, web address, uri, page
phone, telephone, mobile, cell, phone number
price, cost, amount, fee, charge, rate
description, summary, details, text, explanation, about, info
type, kind, category, class, sort, variety
language, lang, locale, tongue
user, customer, client, person, account, member
file, document, path, filename, doc
folder, directory, dir, path
duration, length, time, period, how long
money, amount, budget, sum, funds
currency, money unit
weight, mass
height, tall, altitude
width, breadth
speed, velocity, pace
temperature, temp, heat
comment, note, remark, notes, memo
password, passcode, pin, secret
company, business, firm, organization, organisation, employer, corporation
artist, singer, performer, musician, band
author, writer
actor, star, starring, cast, performer
film, movie, picture
song, track, tune, title
book, novel, volume
team, club, squad, side
game, match, contest
player, athlete
year, yr
priority, urgency, importance, severity
group, category, set, team
format, style, layout
unit, measure, units, measurement
option, choice, preference, setting, mode
none, nothing, zero, no, without, never, not any, unsweetened
minimal, tiny, least, slight, lightest, very low
low, little, minor, small, lowest, not urgent, cheap, minimal, unimportant, trivial
light, mild, slight, a little, gentle, less, bit
medium, average, moderate, normal, mid, middle, intermediate, in between, ordinary, mid level, standard, midsize, fair
regular, normal, standard, default, ordinary, usual, typical, plain
high, large, strong, top, elevated, important, major, intense, highest, urgent
extra, additional, more, very, super, a lot, lots, added
critical, urgent, severe, emergency, highest, asap, immediate, top priority
small, little, tiny, mini, compact, short, s
large, big, huge, great, tall, l, grande
xl, extra large, very large, huge, jumbo
all, everything, any, every, each, both, entire, whole, complete, total, anything, no filter, full
some, several, few, partial
basic, simple, brief, short, minimal, plain, entry level, overview
simple, basic, easy, plain, beginner
advanced, expert, complex, sophisticated, pro
detailed, full, complete, comprehensive, thorough, in depth, verbose, long, extended
standard, normal, regular, default, ordinary, usual, basic
express, fast, quick, rapid, speedy, rush, expedited, priority, next day
slow, sluggish, gradual
hourly, every hour, per hour, each hour
daily, every day, per day, each day, day by day
weekly, every week, per week, each week
biweekly, fortnightly, every two weeks, every other week
monthly, every month, per month, each month, once a month
quarterly, every quarter, every three months, per quarter, four times a year
semiannually, semi annually, half yearly, twice a year, every six months, biannually
annually, annual, yearly, every year, per year, each year, once a year
once, one time, single
sedentary, inactive, no exercise, couch potato, desk job, not active
lightly active, light exercise, slightly active, a little active
moderately active, moderate exercise, fairly active, somewhat active
very active, heavy exercise, highly active, intense exercise, really active
extra active, extremely active, athlete, professional athlete
morning, am, forenoon
afternoon, midday
evening, night, dusk
night, overnight, nighttime
monday, mon
tuesday, tue
wednesday, wed
thursday, thu
friday, fri
saturday, sat
sunday, sun
january, jan
february, feb
march, mar
april, apr
june, jun
july, jul
august, aug
september, sep, sept
october, oct
november, nov
december, dec
asc, ascending, increasing, lowest first, smallest first, a to z, oldest first, up, low to high
desc, descending, decreasing, highest first, largest first, z to a, newest first, down, high to low, reverse
date, newest, latest, most recent, recent, chronological, time
relevance, relevant, best match, most relevant
popularity, popular, most popular, trending
rating, stars, score, best rated, top rated
text, plain text, plaintext, txt, plain, written
json, javascript object notation
xml, extensible markup language
csv, comma separated values, spreadsheet, comma separated
html, web page, hypertext
markdown, md
python, py
javascript, js
image, picture, photo, img
audio, sound, voice, spoken, listen
video, clip, film, footage
interactive, hands on
pdf, portable document
jpeg, jpg, photo
read only, readonly, view only, view, no edit, reading
edit, read write, readwrite, write, writable, editing
production, prod, live
development, dev, local
staging, stage, preprod, pre production
test, testing, qa, sandbox
male, man, men, boy, masculine, gentleman
female, woman, women, girl, feminine, lady
adult, grown up
child, kid, children, kids, minor
junior, entry level, beginner, graduate
senior, experienced, expert
lead, principal, head, chief
metric, celsius, centigrade, si, international, kilometers
imperial, fahrenheit, us customary, american, miles
kelvin, standard, absolute
degrees, decimal degrees, decimal, degree
percent, percentage, per cent
ratio, fraction, proportion
kilometers, kilometres, km
miles, mi, mile
meters, metres, m
feet, foot, ft
kilograms, kg, kilos, kilogram
pounds, lbs, lb, pound
grams, gram, g
ounces, ounce, oz
liters, litres, liter, l
gallons, gallon, gal
seconds, secs, second, s
minutes, mins, minute
hours, hour, hrs, h
celsius, centigrade, c
fahrenheit, f
driving, car, drive, by car, automobile, vehicle, auto, road
walking, foot, on foot, walk, by foot, pedestrian, stroll
bicycling, bike, cycling, bicycle, cycle, by bike
transit, public transport, public transportation, bus, train, subway, metro, mass transit, rail
flight, plane, fly, air, airplane
train, rail, railway
taxi, cab, ride hailing
economy, coach, tourist class, cheapest, standard class, budget, main cabin
premium economy, economy plus, comfort class
business, executive, corporate, commercial, company, enterprise
first, first class, luxury, top class
single, one, individual, solo
double, two, twin, couple
suite, luxury room, penthouse
luxury, premium, deluxe, high end, upscale, fancy
cheap, inexpensive, low cost, budget, affordable, economical, low price, bargain
moderate, mid range, reasonable, average, medium price
pricey, expensive, costly, high priced
ultra high end, luxury, most expensive, very expensive, exclusive
free, no cost, complimentary, gratis
italian, pasta, pizza, pizzeria, trattoria, italy, spaghetti
chinese, dim sum, szechuan, cantonese, china, noodles
japanese, sushi, ramen, japan
mexican, taco, tacos, burrito, tex mex, mexico, taqueria
indian, curry, tandoori, india
french, bistro, brasserie, france
american, burger, burgers, diner, usa, us, hamburger
thai, pad thai, thailand
korean, kimchi, korea
vietnamese, pho, vietnam
greek, gyros, greece
spanish, tapas, spain, espanol
german, deutsch, germany
english, british, england
hindi, india
arabic, arab
mediterranean, middle eastern
seafood, fish, shellfish
steakhouse, steak, grill
barbecue, bbq, grill
brunch, breakfast
vegan, plant based, no animal products
vegetarian, meatless, no meat, meat free, veggie
gluten free, celiac, no gluten, without gluten, coeliac, wheat free
dairy free, lactose free, no dairy, no milk, lactose intolerant
nut free, no nuts, nut allergy
halal, muslim
kosher, jewish
soy, soya, soybean
almond, nut milk
coconut, coco
oat, oats
regular, whole milk, cow milk, dairy
hot, boiling, heated, steaming
warm, lukewarm, tepid
cold, chilled, iced, cool, ice cold
delivery, home delivery, delivered, bring to home, door to door, ship
takeout, take away, takeaway, to go, carry out
pickup, in store pickup, collect, click and collect, curbside, collection
24 hours, open all night, round the clock, always open, all day
pizza, pie, margherita
burger, hamburger, cheeseburger
salad, greens, lettuce
soup, broth, stew
steak, beef, sirloin
basketball, hoops, nba
baseball, mlb, hardball
football, american football, nfl, gridiron
soccer, association football, futbol, football
hockey, ice hockey, nhl
tennis, racket sport
golf, links
cricket, test match
pop, popular music, chart music
rock, rock and roll, guitar music
metal, heavy metal
hip hop, rap
classical, orchestral, symphony
electronic, electronica, edm, techno, electro
country, bluegrass, western
jazz, swing
reggae, jamaican, ska
funk, groove
house, club music
dubstep, bass music
holiday, christmas, xmas, festive
asia, asian, oriental
dontcare, any, no preference, whatever, does not matter, anything
sci fi, science fiction, futuristic, space, scifi
comedy, funny, humor, humour, humorous, hilarious, laugh
horror, scary, frightening, spooky, terrifying
thriller, suspense, suspenseful, tense
drama, dramatic, serious
action, fight, fighting, martial arts, adventure
romance, romantic, love story, love
animation, animated, cartoon, cartoons
anime, japanese animation, manga
documentary, nonfiction, factual
family, kids, children, family friendly
fantasy, magic, magical, fairy tale
mystery, detective, whodunit, puzzle
war, military, battle, combat
musical, singing, song and dance
world, foreign, international, global
western, cowboy
crime, gangster, mafia
offbeat, quirky, unusual, weird, indie
cult, cult classic, underground
criminal, penal, felony, crime
civil, non criminal, private law, tort
checking, current account, current, cheque account, chequing
savings, saving, deposit account, saver
credit, credit card, on credit
loan, borrowing, lending, debt
investment, brokerage, stocks, investing, portfolio
mortgage, home loan, hipotecario, house loan
auto, car, automobile, vehicle
personal, private, individual
negocios, business, commercial, empresa
major, main, principal, primary, happy
minor, lesser, secondary, sad
wi fi, wifi, wireless, internet
parking, car park, garage
pool, swimming pool
garden, yard, backyard
garage, car port
elevator, lift
gym, fitness
outdoor seating, terrace, patio, outside seating
cafe, coffee shop, coffee, coffeehouse
reading room, quiet room, study area
fiction, novels, stories
children section, kids area, kids section, kids
camping, campsite, tent, campground
scenic view, viewpoint, lookout, landscape, panorama
trails, hiking, paths, walks, hike
picnic areas, picnic, picnic spot
nature, outdoors, wildlife, natural
urban, city, metropolitan
history, historical, historic, past
culture, cultural, arts, art
pediatrics, children doctor, kids doctor
cardiology, heart
orthopedics, bones, bone
dermatology, skin
neurology, brain, nerves
emergency, er, accident, urgent care
general medicine, general practitioner, family doctor, gp
politics, political, government
economy, economic, finance, financial, business
sports, athletics, sport
technology, tech, it
entertainment, showbiz, celebrity
health, medical, medicine, healthcare
science, scientific
electronics, gadgets, devices
clothing, clothes, apparel, fashion
home appliances, household appliances, white goods
toys, playthings
database, db, data store, storage
network, networking, connectivity
user interface, ui, gui, frontend, front end
notification, push notification, notice
message, sms, text message, chat
warning, caution
performance, speed, efficiency
availability, uptime
functionality, features, function
security, safety, protection
internship, intern, trainee, placement
freelance, self employed, contractor, contract work
education, degree, school, university, studies
strengths, strong points, advantages, pros
weaknesses, weak points, disadvantages, cons
gold, first place, winner
silver, second place, runner up
bronze, third place
platinum, completionist
xbox, microsoft console
playstation, ps4, ps5, sony console, ps
pc, computer, windows, desktop
grayscale, greyscale, black and white, monochrome
gray, grey
insertion, insert, added, addition
deletion, delete, removed, missing
substitution, substitute, replacement, replaced, swap
euclidean, euclid
binary, base two
hex, hexadecimal
rgb, red green blue
cmyk, print colors
dms, degrees minutes seconds
less, smaller, lower, left tailed, below
greater, larger, bigger, right tailed, above, more
two sided, two tailed, both, either
24 hour, military time
12 hour, am pm
dog, puppy, canine
cat, kitten, feline
bird, parrot, avian
fish, goldfish
reptile, lizard, snake
internet, web, online, net
no longer needed, not needed anymore, changed my mind, do not need, do not want, unnecessary
ordered by mistake, accident, wrong order, by accident, accidental, mistake
home, house, residence
office, work, workplace
public, open, everyone, visible
private, personal, only me, hidden, secret
left, port side
right, starboard
north, northern
south, southern
east, eastern
west, western
new, recent, fresh, latest
old, used, past
sunny, clear, sunshine
rain, rainy, wet
snow, snowy
red, crimson, scarlet
blue, navy, azure
green, emerald, lime
yellow, golden
black, dark
white, ivory
`

/** The lines in which each word or phrase stands. */
const groups = new Map<string, number[]>()
lines
  .trim()
  .split('\n')
  .forEach((line, index) => {
    for (const phrase of line.split(',').map((text) => text.trim())) {
      const known = groups.get(phrase)
      if (known) known.push(index)
      else groups.set(phrase, [index])
    }
  })

const knownWords = new Set(lines.split(/[,\s]+/))

/** True for a word of general language, as far as this list knows it. */
export function isKnownWord(word: string): boolean {
  return knownWords.has(word)
}

/** True when two lower-case phrases, words separated by single blanks, stand in one line. */
export function areSynonyms(a: string, b: string): boolean {
  const groupsOfB = groups.get(b)
  return groupsOfB !== undefined && (groups.get(a)?.some((group) => groupsOfB.includes(group)) ?? false)
}

/** Names that differ by one of these pairs mean the opposite. */
const opposites = new Set(
  (
    'create delete,add remove,add delete,insert delete,enable disable,activate deactivate,open close,start stop,begin end,' +
    'lock unlock,show hide,import export,upload download,send receive,send read,buy sell,login logout,join leave,' +
    'follow unfollow,subscribe unsubscribe,like unlike,mute unmute,block unblock,archive unarchive,increase decrease,' +
    'min max,minimum maximum,start end,from to,first last,before after,accept reject,accept decline,approve reject,' +
    'approve deny,get set,get delete,get create,get add,read write,push pull,deposit withdraw,encode decode,encrypt decrypt,' +
    'compress decompress,connect disconnect,attach detach,mount unmount,pause resume,up down,left right,find delete,' +
    'search delete,list delete,view delete,update delete,cancel create,cancel book,in out,sent received'
  )
    .split(',')
    .flatMap((pair) => [pair, pair.split(' ').reverse().join(' ')]),
)

/** True when two words are opposites, as `enable` and `disable`. */
export function areOpposites(a: string, b: string): boolean {
  return opposites.has(`${a} ${b}`)
}
