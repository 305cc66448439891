/**
 * Everyday words for the same thing, as they stand in names of tools and parameters and in enumerations: groups are
 * separated by semicolons, a word may stand in several. General language only. They suggest, they never repair.
 */
export const synonymGroups = `
get, fetch, retrieve, read, load, obtain, pull, access; show, display, view, print, present, see; search,
find, lookup, look up, query, locate, seek, discover; list, enumerate, show all, get all, browse; create,
make, add, new, generate, build, insert, register; update, edit, modify, change, alter, revise, adjust, set;
delete, remove, erase, drop, destroy, clear, discard; send, deliver, dispatch, submit, post, transmit, mail;
calculate, compute, calc, work out, evaluate, determine, estimate; predict, forecast, project, estimate;
analyze, analyse, examine, inspect, study, evaluate, assess; check, verify, validate, test, confirm;
convert, transform, translate, change; book, reserve, schedule, make reservation; buy, purchase, order,
acquire; cancel, abort, call off, revoke, annul, withdraw; start, begin, launch, run, initiate, commence,
execute, turn on, switch on, power on; stop, end, halt, terminate, finish, quit, turn off, switch off, shut
off, shut down, power off; pause, suspend, hold; resume, continue, restart; complete, finish, done, mark
done, accomplish, tick off, check off, completed, finished; open, active, ongoing, live, unresolved,
current, in progress, pending; closed, resolved, settled, concluded, finished, shut, done, ended; pending,
waiting, in review, awaiting, on hold, queued, outstanding; active, enabled, on, running, live; inactive,
disabled, off, dormant; failed, error, unsuccessful, broken; approved, accepted, granted, confirmed;
rejected, denied, declined, refused; draft, unfinished, work in progress; archived, stored, old; enable,
activate, turn on, switch on; disable, deactivate, turn off, switch off; upload, import; download, export,
save; copy, duplicate, clone, replicate; move, transfer, relocate, shift; rename, retitle; join, enter,
connect; leave, exit, disconnect; reply, respond, answer; share, publish, distribute; login, log in, sign
in, authenticate; logout, log out, sign out; id, identifier, key, code, number, reference, ref, uid; name,
title, label, full name; quantity, qty, amount, count, number, how many, total; location, place, city, town,
area, address, destination, venue, region, where; country, nation, state; date, day, when, time; start,
begin, from, origin, departure, source, since; end, finish, until, to, destination, arrival, target; email,
mail, email address, recipient, e mail; to, recipient, receiver, addressee, destination; sender, from,
author; subject, title, heading, topic, headline; body, content, text, message, contents; query, q, search,
search term, keyword, term, question, prompt, phrase, search query; limit, max, maximum, max results, count,
size, top, number, cap; min, minimum, least, lowest, at least; url, link, href, website, web address, uri,
page; phone, telephone, mobile, cell, phone number; price, cost, amount, fee, charge, rate; description,
summary, details, text, explanation, about, info; type, kind, category, class, sort, variety; language,
lang, locale, tongue; user, customer, client, person, account, member; file, document, path, filename, doc;
folder, directory, dir, path; duration, length, time, period, how long; money, amount, budget, sum, funds;
currency, money unit; weight, mass; height, tall, altitude; width, breadth; speed, velocity, pace;
temperature, temp, heat; comment, note, remark, notes, memo; password, passcode, pin, secret; company,
business, firm, organization, organisation, employer, corporation; artist, singer, performer, musician,
band; author, writer; actor, star, starring, cast, performer; film, movie, picture; song, track, tune,
title; book, novel, volume; team, club, squad, side; game, match, contest; player, athlete; year, yr;
priority, urgency, importance, severity; group, category, set, team; format, style, layout; unit, measure,
units, measurement; option, choice, preference, setting, mode; none, nothing, zero, no, without, never, not
any, unsweetened; minimal, tiny, least, slight, lightest, very low; low, little, minor, small, lowest, not
urgent, cheap, minimal, unimportant, trivial, worst, minimum, min; light, mild, slight, a little, gentle,
less, bit; medium, average, moderate, normal, mid, middle, intermediate, in between, ordinary, mid level,
standard, midsize, fair; regular, normal, standard, default, ordinary, usual, typical, plain; high, large,
strong, top, elevated, important, major, intense, highest, urgent, critical, best, maximum, max, peak;
extra, additional, more, very, super, a lot, lots, added; critical, urgent, severe, emergency, highest,
asap, immediate, top priority; small, little, tiny, mini, compact, short, s; large, big, huge, great, tall,
l, grande; xl, extra large, very large, huge, jumbo; all, everything, any, every, each, both, entire, whole,
complete, total, anything, no filter, full; some, several, few, partial; basic, simple, brief, short,
minimal, plain, entry level, overview; simple, basic, easy, plain, beginner; advanced, expert, complex,
sophisticated, pro; detailed, full, complete, comprehensive, thorough, in depth, verbose, long, extended;
standard, normal, regular, default, ordinary, usual, basic; express, fast, quick, rapid, speedy, rush,
expedited, priority, next day; slow, sluggish, gradual; hourly, every hour, per hour, each hour; daily,
every day, per day, each day, day by day; weekly, every week, per week, each week; biweekly, fortnightly,
every two weeks, every other week; monthly, every month, per month, each month, once a month; quarterly,
every quarter, every three months, per quarter, four times a year; semiannually, semi annually, half yearly,
twice a year, every six months, biannually; annually, annual, yearly, every year, per year, each year, once
a year; once, one time, single; sedentary, inactive, no exercise, couch potato, desk job, not active;
lightly active, light exercise, slightly active, a little active; moderately active, moderate exercise,
fairly active, somewhat active; very active, heavy exercise, highly active, intense exercise, really active;
extra active, extremely active, athlete, professional athlete; morning, am, forenoon; afternoon, midday;
evening, night, dusk; night, overnight, nighttime; monday, mon; tuesday, tue; wednesday, wed; thursday, thu;
friday, fri; saturday, sat; sunday, sun; january, jan; february, feb; march, mar; april, apr; june, jun;
july, jul; august, aug; september, sep, sept; october, oct; november, nov; december, dec; asc, ascending,
increasing, lowest first, smallest first, a to z, oldest first, up, low to high; desc, descending,
decreasing, highest first, largest first, z to a, newest first, down, high to low, reverse; date, newest,
latest, most recent, recent, chronological, time; relevance, relevant, best match, most relevant;
popularity, popular, most popular, trending; rating, stars, score, best rated, top rated; text, plain text,
plaintext, txt, plain, written; json, javascript object notation; xml, extensible markup language; csv,
comma separated values, spreadsheet, comma separated; html, web page, hypertext; markdown, md; python, py;
javascript, js; image, picture, photo, img; audio, sound, voice, spoken, listen; video, clip, film, footage;
interactive, hands on; pdf, portable document; jpeg, jpg, photo; read only, readonly, view only, view, no
edit, reading; edit, read write, readwrite, write, writable, editing; production, prod, live; development,
dev, local; staging, stage, preprod, pre production; test, testing, qa, sandbox; male, man, men, boy,
masculine, gentleman; female, woman, women, girl, feminine, lady; adult, grown up; child, kid, children,
kids, minor; junior, entry level, beginner, graduate; senior, experienced, expert; lead, principal, head,
chief; metric, celsius, centigrade, si, international, kilometers; imperial, fahrenheit, us customary,
american, miles; kelvin, standard, absolute; degrees, decimal degrees, decimal, degree; percent, percentage,
per cent; ratio, fraction, proportion; kilometers, kilometres, km; miles, mi, mile; meters, metres, m; feet,
foot, ft; kilograms, kg, kilos, kilogram; pounds, lbs, lb, pound; grams, gram, g; ounces, ounce, oz; liters,
litres, liter, l; gallons, gallon, gal; seconds, secs, second, s; minutes, mins, minute; hours, hour, hrs,
h; celsius, centigrade, c; fahrenheit, f; driving, car, drive, by car, automobile, vehicle, auto, road;
walking, foot, on foot, walk, by foot, pedestrian, stroll; bicycling, bike, cycling, bicycle, cycle, by
bike; transit, public transport, public transportation, bus, train, subway, metro, mass transit, rail;
flight, plane, fly, air, airplane; train, rail, railway; taxi, cab, ride hailing; economy, coach, tourist
class, cheapest, standard class, budget, main cabin; premium economy, economy plus, comfort class; business,
executive, corporate, commercial, company, enterprise; first, first class, luxury, top class; single, one,
individual, solo; double, two, twin, couple; suite, luxury room, penthouse; luxury, premium, deluxe, high
end, upscale, fancy; cheap, inexpensive, low cost, budget, affordable, economical, low price, bargain;
moderate, mid range, reasonable, average, medium price; pricey, expensive, costly, high priced; ultra high
end, luxury, most expensive, very expensive, exclusive; free, no cost, complimentary, gratis; italian,
pasta, pizza, pizzeria, trattoria, italy, spaghetti; chinese, dim sum, szechuan, cantonese, china, noodles;
japanese, sushi, ramen, japan; mexican, taco, tacos, burrito, tex mex, mexico, taqueria; indian, curry,
tandoori, india; french, bistro, brasserie, france; american, burger, burgers, diner, usa, us, hamburger;
thai, pad thai, thailand; korean, kimchi, korea; vietnamese, pho, vietnam; greek, gyros, greece; spanish,
tapas, spain, espanol; german, deutsch, germany; english, british, england; hindi, india; arabic, arab;
mediterranean, middle eastern; seafood, fish, shellfish; steakhouse, steak, grill; barbecue, bbq, grill;
brunch, breakfast; vegan, plant based, no animal products; vegetarian, meatless, no meat, meat free, veggie;
gluten free, celiac, no gluten, without gluten, coeliac, wheat free; dairy free, lactose free, no dairy, no
milk, lactose intolerant; nut free, no nuts, nut allergy; halal, muslim; kosher, jewish; soy, soya, soybean;
almond, nut milk; coconut, coco; oat, oats; regular, whole milk, cow milk, dairy; hot, boiling, heated,
steaming; warm, lukewarm, tepid; cold, chilled, iced, cool, ice cold; delivery, home delivery, delivered,
bring to home, door to door, ship; takeout, take away, takeaway, to go, carry out; pickup, in store pickup,
collect, click and collect, curbside, collection; 24 hours, open all night, round the clock, always open,
all day; pizza, pie, margherita; burger, hamburger, cheeseburger; salad, greens, lettuce; soup, broth, stew;
steak, beef, sirloin; basketball, hoops, nba; baseball, mlb, hardball; football, american football, nfl,
gridiron; soccer, association football, futbol, football; hockey, ice hockey, nhl; tennis, racket sport;
golf, links; cricket, test match; pop, popular music, chart music; rock, rock and roll, guitar music; metal,
heavy metal; hip hop, rap; classical, orchestral, symphony; electronic, electronica, edm, techno, electro;
country, bluegrass, western; jazz, swing; reggae, jamaican, ska; funk, groove; house, club music; dubstep,
bass music; holiday, christmas, xmas, festive; asia, asian, oriental; dontcare, any, no preference,
whatever, does not matter, anything; sci fi, science fiction, futuristic, space, scifi; comedy, funny,
humor, humour, humorous, hilarious, laugh; horror, scary, frightening, spooky, terrifying; thriller,
suspense, suspenseful, tense; drama, dramatic, serious; action, fight, fighting, martial arts, adventure;
romance, romantic, love story, love; animation, animated, cartoon, cartoons; anime, japanese animation,
manga; documentary, nonfiction, factual; family, kids, children, family friendly; fantasy, magic, magical,
fairy tale; mystery, detective, whodunit, puzzle; war, military, battle, combat; musical, singing, song and
dance; world, foreign, international, global; western, cowboy; crime, gangster, mafia; offbeat, quirky,
unusual, weird, indie; cult, cult classic, underground; criminal, penal, felony, crime; civil, non criminal,
private law, tort; checking, current account, current, cheque account, chequing; savings, saving, deposit
account, saver; credit, credit card, on credit; loan, borrowing, lending, debt; investment, brokerage,
stocks, investing, portfolio; mortgage, home loan, hipotecario, house loan; auto, car, automobile, vehicle;
personal, private, individual; negocios, business, commercial, empresa; major, main, principal, primary,
happy; minor, lesser, secondary, sad; wi fi, wifi, wireless, internet; parking, car park, garage; pool,
swimming pool; garden, yard, backyard; garage, car port; elevator, lift; gym, fitness; outdoor seating,
terrace, patio, outside seating; cafe, coffee shop, coffee, coffeehouse; reading room, quiet room, study
area; fiction, novels, stories; children section, kids area, kids section, kids; camping, campsite, tent,
campground; scenic view, viewpoint, lookout, landscape, panorama; trails, hiking, paths, walks, hike; picnic
areas, picnic, picnic spot; nature, outdoors, wildlife, natural; urban, city, metropolitan; history,
historical, historic, past; culture, cultural, arts, art; pediatrics, children doctor, kids doctor;
cardiology, heart; orthopedics, bones, bone; dermatology, skin; neurology, brain, nerves; emergency, er,
accident, urgent care; general medicine, general practitioner, family doctor, gp; politics, political,
government; economy, economic, finance, financial, business; sports, athletics, sport; technology, tech, it;
entertainment, showbiz, celebrity; health, medical, medicine, healthcare; science, scientific; electronics,
gadgets, devices; clothing, clothes, apparel, fashion; home appliances, household appliances, white goods;
toys, playthings; database, db, data store, storage; network, networking, connectivity; user interface, ui,
gui, frontend, front end; notification, push notification, notice; message, sms, text message, chat;
warning, caution; performance, speed, efficiency; availability, uptime; functionality, features, function;
security, safety, protection; internship, intern, trainee, placement; freelance, self employed, contractor,
contract work; education, degree, school, university, studies; strengths, strong points, advantages, pros;
weaknesses, weak points, disadvantages, cons; gold, first place, winner; silver, second place, runner up;
bronze, third place; platinum, completionist; xbox, microsoft console; playstation, ps4, ps5, sony console,
ps; pc, computer, windows, desktop; grayscale, greyscale, black and white, monochrome; gray, grey;
insertion, insert, added, addition; deletion, delete, removed, missing; substitution, substitute,
replacement, replaced, swap; euclidean, euclid; binary, base two; hex, hexadecimal; rgb, red green blue;
cmyk, print colors; dms, degrees minutes seconds; less, smaller, lower, left tailed, below; greater, larger,
bigger, right tailed, above, more; two sided, two tailed, both, either; 24 hour, military time; 12 hour, am
pm; dog, puppy, canine; cat, kitten, feline; bird, parrot, avian; fish, goldfish; reptile, lizard, snake;
internet, web, online, net; no longer needed, not needed anymore, changed my mind, do not need, do not want,
unnecessary; ordered by mistake, accident, wrong order, by accident, accidental, mistake; home, house,
residence; office, work, workplace; public, open, everyone, visible; private, personal, only me, hidden,
secret; left, port side; right, starboard; north, northern; south, southern; east, eastern; west, western;
new, recent, fresh, latest; old, used, past; sunny, clear, sunshine; rain, rainy, wet; snow, snowy; red,
crimson, scarlet; blue, navy, azure; green, emerald, lime; yellow, golden; black, dark; white, ivory;
spring, springtime; summer, summertime; autumn, fall; winter, wintertime; breakfast, morning meal; lunch,
midday meal, noon meal; dinner, supper, evening meal; dessert, sweet, sweets; snack, small bite; vegetables,
veggies, greens; chicken, poultry; drink, beverage; coffee, espresso; music, concert, gig, live music, song;
theater, theatre, play, stage show, drama; movie, film, cinema, motion picture; museum, gallery, exhibition;
park, green space; theme park, amusement park; place of worship, church, temple, mosque, religious site;
historical landmark, monument, historic site, heritage site; tourist attraction, sightseeing spot; shopping
area, mall, shopping mall, shopping; sports venue, stadium, arena; rent, lease, rental, renting; buy,
purchase, own, buying, long; sell, sale, selling, short; hatchback, compact car, small car; sedan, saloon,
four door; suv, sport utility vehicle, crossover, off roader, jeep; van, minivan, minibus; truck, pickup
truck, lorry; motorcycle, motorbike; convertible, cabriolet; electric, ev, battery powered; hybrid, part
electric; gasoline, petrol, gas; diesel, heavy oil; automatic, auto, self adjusting; manual, stick shift, by
hand; pool, shared, share, shared ride, carpool; psychologist, therapist, counselor; psychiatrist, mental
health doctor; family counselor, family therapist, marriage counselor; dentist, tooth doctor, dental; value,
saver, cheapest, lowest fare; flexible, changeable, refundable; direct, nonstop, non stop, no stops; one
stop, single stop, one layover; one way, single trip, outbound only; round trip, return, return trip, there
and back, two way; basic economy, cheapest, lowest fare; app balance, wallet, in app balance; debit card,
bank card, debit; credit card, visa, mastercard; gift card, voucher; certificate, travel certificate;
paypal, pay pal; cash, paper money; bank transfer, wire transfer, wire; cool, cooling, air conditioning, ac,
cold; heat, heating, hot, warm; dry, dehumidify, drying; fan, ventilation, blower; air clean, purify, air
purifier, clean; defrost, defog, de ice; on, power on, enabled, turned on, switched on; off, power off,
disabled, turned off, switched off; auto, automatic, automatically; engage, apply, activate; release,
disengage, deactivate; driver, driver side, front left; passenger, front right, passenger side; fuel, gas,
gasoline, tank; battery, charge, power; engine, motor; doors, door, locks; headlights, front lights, lights;
climate, air conditioning, temperature; market, market order, current price; limit, limit order, fixed
price; bullish, rising, optimistic; bearish, falling, pessimistic; stock, share, equity, stocks, shares;
bond, fixed income, bonds; crypto, cryptocurrency, bitcoin; real estate, property, housing; income,
earnings, revenue, salary; expense, spending, cost, expenses; profit, gain, earnings; loss, deficit; simple,
simple interest, non compound; compound, compounded, compound interest; bug, defect, error, issue; feature,
enhancement, new feature; question, inquiry, enquiry; incident, outage; todo, to do, not started, backlog;
in progress, doing, started, ongoing, working on; review, in review, reviewing; blocked, stuck; urgent, critical,
asap, top priority; trivial, negligible; info, information, informational; debug, debugging; fatal,
critical; success, successful, succeeded, ok; in stock, available, on hand; out of stock, sold out,
unavailable; shipped, sent, dispatched, on the way; delivered, arrived, received; returned, sent back;
refunded, money back, reimbursed; admin, administrator, superuser; member, regular user, participant; owner,
proprietor; guest, visitor; viewer, reader, read only user; editor, contributor; student, pupil, learner;
teacher, instructor, tutor; full time, full day; part time, half day; remote, work from home, home office,
from home; onsite, on site, in office, in person; online, virtual, web based; casual, informal, relaxed;
formal, official, business like; friendly, warm, cordial; professional, business like, formal; neutral,
impartial, balanced; positive, good, favorable, happy; negative, bad, unfavorable, unhappy; happy, joyful,
cheerful; sad, unhappy, melancholy; angry, mad, furious; guitar, six string; piano, keyboard, grand piano;
drums, percussion, drum kit; violin, fiddle; bass, low; treble, high pitch; key, tonality; tempo, bpm, pace;
oil, oil paint; watercolor, watercolour, water color; acrylic, acrylic paint; canvas, cloth; portrait,
vertical, upright; landscape, horizontal; square, equal sides; circle, round, circular; triangle, three
sided; rectangle, oblong; linear, straight line; exponential, rapidly growing; gaussian, normal, bell curve;
uniform, even, flat; mean, average, avg, arithmetic mean; median, middle value; mode, most frequent; sum, total,
addition; addition, add, plus, sum; subtraction, subtract, minus, difference; multiplication, multiply,
times, product; division, divide, quotient; maximum, highest, largest; minimum, lowest, smallest;
population, inhabitants, residents; veterans, ex soldiers, former soldiers; women, females, female; men,
males, male; children, kids, minors, under 18; elderly, seniors, senior citizens, old people; human, homo
sapiens, person; mouse, mus musculus; dna, deoxyribonucleic acid; rna, ribonucleic acid; protein, proteins;
calories, energy, kcal; carbohydrates, carbs; fat, fats, lipids; solid, ice, frozen; liquid, fluid; gas,
vapor, vapour, gaseous; vaporization, evaporation, boiling; condensation, condensing, liquefying; melting,
fusion, thaw; freezing, solidification; vacuum, empty space, free space; water, h2o; air, atmosphere; earth,
world, globe; moon, lunar; mars, red planet; gold, au; silver, ag; copper, cu; iron, fe; christianity,
christian, christians; islam, muslim, islamic; judaism, jewish; buddhism, buddhist; hinduism, hindu; supreme
court, highest court; federal, national; state, regional, provincial; local, municipal, city level;
copyright, intellectual property; patent, invention; contract, agreement; divorce, marriage dissolution;
president, head of state; vice president, vp, deputy president; prime minister, head of government; gini,
gini impurity; entropy, information gain; regression, continuous; classification, categorical; xbox, xbox
one, series x; nintendo, switch, nintendo switch; mobile, phone, smartphone, cell phone; tablet, ipad;
laptop, notebook; desktop, pc, desktop computer; windows, microsoft windows; macos, mac, apple computer, os
x; linux, unix, ubuntu; android, google phone; ios, iphone; chrome, google chrome; firefox, mozilla; push,
push notification; email, mail, e mail, electronic mail; sms, text, text message; call, phone call, ring;
alarm, wake up; reminder, remind; meeting, appointment; event, occasion; birthday, bday; vacation, holiday,
time off, leave; sick leave, illness, sick; true, yes, correct, allowed; false, no, incorrect, not allowed;
strong, powerful, robust; weak, feeble; soft, gentle; hard, difficult, tough; easy, simple, effortless;
beginner, novice, newbie, starter; intermediate, medium, mid level; expert, master, advanced, professional;
thin, slim, skinny; thick, bulky; short, brief, small; long, lengthy, extended; wide, broad; narrow, tight;
bright, light; dim, low light; loud, noisy; quiet, silent, mute; clockwise, right turn; counterclockwise,
anticlockwise, left turn; before, prior, earlier; after, later, following; today, now, this day; tomorrow,
next day; yesterday, day before; weekday, workday, business day; weekend, saturday and sunday; current,
present, latest, now; historical, past, history; forecast, prediction, future; wind, breeze; humidity,
moisture; precipitation, rainfall, rain; cloudy, overcast; king, king size; queen, queen size; twin, two
beds; balcony, terrace; sea view, ocean view, seaside; city view, urban view; smoking, smokers; non smoking,
smoke free, no smoking; kitchen, cooking area; bathroom, restroom, toilet, washroom; living room, lounge,
sitting room; bedroom, sleeping room; supermarket, grocery store, grocery; pharmacy, drugstore, chemist;
hospital, clinic, medical center; restaurant, eatery, diner; hotel, inn, lodging; airport, airfield;
station, stop, terminal; school, academy; library, book lending; beach, seaside, coast; mountain, peak,
hills, mountains; adventure, thrill, adventurous; relaxation, relax, relaxing, chill; food, culinary,
gastronomy, eating; shopping, retail; nightlife, clubs, bars, partying; summary, overview, abstract, brief;
full text, entire text, whole text; title only, headline; bullet, bullet points, list; paragraph, prose;
table, grid, tabular; chart, graph, plot; bar, bar chart, column; line, line chart; pie, pie chart; scatter,
scatter plot; sequential, one by one, in order; parallel, simultaneous, concurrent; random, shuffled,
arbitrary; recursive, including subfolders; strict, exact; fuzzy, approximate; case sensitive, match case;
regex, regular expression; integer, whole number; float, decimal, decimal number; string, text; boolean,
true or false; add, include, append; exclude, omit, leave out; include, with, contain; overwrite, replace;
append, add to end; prepend, add to start; http, insecure; https, secure; tcp, transmission control
protocol; udp, user datagram protocol; get, read, fetch; post, create, submit; put, replace, update; patch,
partial update, modify; year, yearly, annual, annually, twelve months; month, monthly, thirty days; week,
weekly, seven days; day, daily, 24 hours; hour, hourly, sixty minutes; minute, per minute; pediatrics,
children, child, kids; north america, us, usa, united states; europe, eu, european union; sea view, ocean
view, ocean, sea; city, municipality, village; time, hour, timestamp, datetime, date time; duration,
minutes, hours, period, term; guests, people, persons, party, attendees, travelers, passengers, num people,
number of people, party size; amount, value, sum; budget, price, max price; tags, labels, keywords, topics;
first name, given name, forename; last name, surname, family name; username, login, handle, nickname;
address, street, street address; zip, zip code, postal code, postcode; state, province; longitude, lng, lon;
latitude, lat; radius, distance, range; distance, length; size, dimensions, dims; results, num results,
limit, max results; offset, start, skip; sort, order, sort by, order by, sort order; genre, category, type;
style, type; mode, type; status, state; level, difficulty; age, years; gender, sex; product, item, article;
products, items; sku, product id, item id; ticker, symbol, stock, stock symbol, ticker symbol; game, sport;
league, competition, tournament; season, year; album, record; book, title; director, filmmaker; ingredients,
items; cuisine, food type, food; recipe, dish, meal; principal, loan amount, initial investment, capital,
loan; term, period, years; time, years; frequency, interval, period; numbers, values, data, list, array,
items, elements; text, input, content; class, cabin; airline, carrier; sql, query,
statement; operator, op, operation; body, description; solved, resolved, fixed;
resolved, solved, fixed; skip, next; make, brand, manufacturer; model,
version; vehicle, car
`
