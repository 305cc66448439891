/**
 * More everyday words for the same value of an enumeration, in the form of `synonymGroups`: the first of a group is what
 * a schema would say. They only suggest values; names of tools and parameters are not compared by them.
 */
export const valueGroups = `
fastest, quickest, fast, quick, speediest, least time, minimum time; shortest, least distance, minimum
distance; scenic, beautiful, picturesque, pretty; balanced, mixed, compromise, in between; excellent, great,
perfect, outstanding, superb, very good; good, fine, decent, well, okay, solid; fair, acceptable, passable,
so so, okay; poor, bad, worn, damaged, low quality; like new, nearly new, as good as new, mint, almost new;
used, second hand, pre owned, preowned; new, brand new, unused; central, middle, center, centre, centered;
forward, ahead, front; backward, backwards, behind, back; horizontal, sideways, left right, flat, across;
vertical, upright, top bottom, up down; installation, install, setup, set up, getting started;
configuration, settings, configure, setup, options; troubleshooting, problem solving, fixing problems,
debugging, fix, diagnosis; usage, use, how to use, using; technical support, tech support, help desk,
helpdesk; account setup, registration, sign up, onboarding; trading, buying and selling, trade, trades;
charts, graphs, diagrams, plots; support, help, assistance; education, learning, studying, study, teaching,
academic; recreational, leisure, fun, hobby, entertainment; social, with friends, group, community; diy, do
it yourself, crafts, handicraft; charity, volunteering, donation; cooking, baking, culinary; relaxation,
resting, rest, calm; busywork, chores, routine; brain, head, cerebral, cranial; spinal, spine, back,
backbone; chest, thorax, thoracic, torso, lung; abdominal, abdomen, belly, stomach; news, press, current
affairs, headlines, newspaper, journalism; blog, blog post, article, weblog; event, happening, occurrence;
product, item, goods, merchandise; status, state, condition, current state; statistics, stats, figures,
counters, metrics, numbers; config, configuration, settings; errors, failures, problems, faults; interfaces,
connections; piece, item, unit, each, single; pieces, items, units; slice, cut; cup, mug; tablespoon, tbsp,
spoon; teaspoon, tsp; grams, gram, g, gr; keto, ketogenic, low carb, low carbohydrate; paleo, paleolithic,
caveman; vegan, plant based, no animal products, strictly vegetarian; vegetarian, veggie, meatless, no meat,
meat free; gluten free, no gluten, without gluten, celiac, coeliac; dairy free, no dairy, lactose free,
without dairy, no milk; nut free, no nuts, without nuts; halal, islamic; organic, bio, natural, eco;
disabled access, wheelchair access, wheelchair accessible, accessible, handicap access, disability access,
accessibility; pet friendly, pets allowed, dogs allowed, pets welcome; free wifi, free internet, wireless
internet, wlan; breakfast included, free breakfast, with breakfast; free parking, parking included; gym,
fitness center, fitness centre, workout room; swimming pool, pool; picnic area, picnic tables; playground,
playgrounds, play area, kids play area; running track, jogging track, race track; happy hour, drink
specials; patio, terrace, outdoor seating; public restrooms, toilets, bathrooms, washrooms; biking trails,
bike paths, cycling paths; hiking trails, walking trails, footpaths; spa, wellness, sauna; performing arts
venue, theater, theatre, concert hall, opera house; nature preserve, nature reserve, wildlife reserve;
general, overall, universal, misc, all topics; others, other, miscellaneous, misc, rest, else; world,
global, international; local, nearby, regional; equals, equal, eq, is, exactly; pearson, linear correlation,
product moment; spearman, rank correlation, rank; one hot, dummy variables, dummy coding, onehot; label,
ordinal encoding, integer encoding; most frequent, mode, most common; real, inflation adjusted, constant
prices; nominal, unadjusted, current prices; sine, sinusoidal, sin; square, rectangular, pulse; sawtooth,
saw, ramp; triangle, triangular; mp3, mpeg audio; wav, wave audio, waveform; ogg, vorbis; svg, vector
graphic, vector graphics, vector; png, bitmap image; docx, word, word document, ms word, doc; xlsx, excel,
spreadsheet; yaml, yml; video, movie, clip; gif, animated image; tiff, tif; bmp, bitmap; ethernet, lan,
wired; loopback, localhost; serial, rs232, com port; wireless, wifi, wlan; dual, two, double; quad, four,
quadruple; triple, three; half, fifty percent; quarter, one fourth, three months; whole, full, entire,
complete; husband, spouse, partner; wife, spouse, partner; partner, significant other, boyfriend,
girlfriend; sibling, brother, sister; colleague, coworker, co worker; on demand, ondemand, pay as you go;
preemptible, spot, interruptible; reserved, committed, prepaid; cluster ip, internal; load balancer,
external; supernatural, paranormal, ghost, ghosts, occult; documentary, docs, true story; bizarre, weird,
strange, odd; adventure, exploration, quest; racing, driving, cars; strategy, tactics, tactical; simulation,
simulator, sim; biography, biopic, life story; history, historical, period; music, songs, concert, concerts;
six months, half a year, half year; year, one year, twelve months; five years, half a decade; decade, ten
years; month, one month, thirty days, four weeks; week, one week, seven days; day, one day, twenty four
hours; day after tomorrow, in two days, two days from now; this weekend, the weekend, coming weekend; next
week, in a week, coming week; today, now, tonight; chinese, mandarin; united states, usa, us, america;
united kingdom, uk, great britain, britain, england; netherlands, holland; germany, deutschland; spain,
espana; america new york, est, eastern time, new york time; europe london, gmt, uk time, london time; asia
tokyo, jst, japan time; utc, gmt, universal time, zulu; america los angeles, pst, pacific time; america
chicago, cst, central time; personal info, personal information, personal details, personal data; job
history, employment history, work history, career; payroll, salary, wages, pay; attendance, presence, time
sheet; work experience, job experience, employment, jobs; employment record, work history; general medicine,
general practice, primary care; orthopedics, bones, bone doctor; pediatrics, child care; cardiology,
cardiac; oncology, cancer; radiology, imaging, x ray; psychiatry, mental health; surgery, operation;
ophthalmology, eye, eyes; gynecology, women health; read, view, see, read only; write, modify, change;
admin, full control, all rights; execute, run; overview, summary, general information; signatories, signers,
parties; clauses, sections, terms; participants, people involved, attendees, members; result, outcome,
consequence; notable figures, important people, key people; elevation, altitude, height; established year,
founded, year founded, year established, founding year; opening hours, open times, hours of operation,
business hours, hours; ticket price, entry fee, admission, entrance fee; timings, schedule, opening hours,
hours; exhibitions, exhibits, shows; calories, energy; points, points scored, score; rebounds, boards;
assists, helpers; goals scored, goals; strengths, strong points, positives; weaknesses, weak points,
negatives; installed, set up; business class, business; premium economy, premium; basic economy, cheapest,
lightest fare; comfort, comfortable, comfort class; pool, shared, carpool, ride share; black, premium black;
plus, extra, upgraded; easy, simple, beginner, effortless; hard, difficult, expert, tough, challenging; low,
weak, min, minimum; mid, medium, middle; high, strong, max, maximum; asc, a z, alphabetical; desc, z a;
chronological, by date, by time, in order of time; alphabetical, by name, a to z; importance, priority, most
important, significance; start date, beginning, start; created at, creation date, date created, newest;
updated at, last modified, date modified; rejected, refused, turned down; scheduled, planned, upcoming; on
hold, paused, suspended; cancelled, canceled, called off, aborted; maintenance, under maintenance,
servicing; dismissed, thrown out, dropped; settled, resolved out of court; concluded, finished, ended,
closed, over; stopped, halted, not running; completed, complete, done; concert, gig, live music; exhibition,
exhibit, art show; festival, fair, fest; theater, play, stage show; sports, sport, athletics, game;
conference, congress, summit; workshop, seminar, training, class; revolutions, revolution, uprising, revolt;
diplomacy, diplomatic, treaties; crusade, holy war; schism, split, division; reform, reformation, change;
plastic, polymer; metal, steel, iron, aluminum; wood, wooden, timber, oak, pine; stone, rock, granite;
marble, white stone; bronze, copper alloy; ceramic, pottery, clay, terracotta; glass, crystal; leather,
hide; cotton, fabric; paper, cardboard; gold, golden; silver, silvery; red, scarlet, crimson; green,
emerald; orange, tangerine; purple, violet; pink, rose; brown, chocolate; gray, grey, silver; beige, cream,
tan; house, home, villa; apartment, flat, condo; studio, one room; office, workplace, bureau; land, plot,
ground; spring, in spring; summer, in summer; winter, in winter; north, up; northern, north, upper;
southern, south, lower; eastern, east; western, west; cpu, processor, processors, cores; memory, ram, main
memory; disk, storage, hard drive, hard disk, drive, ssd; disk space, storage, free space; network,
internet, connectivity, bandwidth, net; traffic, bandwidth, load, requests; response time, latency,
slowness, delay; error rate, errors, failure rate, failures; traffic spike, load spike, surge; security,
intrusion, breach, attack; cross site scripting, xss; sql injection, sqli; denial of service, dos, ddos;
brute force, password guessing, exhaustive search; in stock, available, on hand, in store; out of stock,
sold out, unavailable, none left; backorder, back order, on order, reordered; discontinued, no longer made,
no longer produced, retired; never, not at all, at no time; always, every time, all the time, constantly;
sometimes, occasionally, now and then; often, frequently, regularly; rarely, seldom, hardly ever; default,
standard, normal, preset; restaurants, restaurant, places to eat, dining, eateries, food places; hotels,
hotel, lodging, places to stay, accommodation; tourist spots, attractions, sights, sightseeing, tourist
attraction; bars, bar, pubs, nightlife; shops, shop, stores, store, shopping; electronics, gadgets, tech
devices, consumer electronics; gaming, games, video games, game; household, home goods, home, housewares,
home appliances; books, book, literature, reading; toys, toy, playthings; clothing, clothes, apparel,
garments, wear; beauty, cosmetics, makeup; groceries, grocery, food; furniture, furnishings; jewelry,
jewellery; footwear, shoes, boots, sneakers; headgear, hats, hat, caps; outerwear, jackets, jacket, coats,
coat; accessories, jewelry, belts, add ons, bags; rgb, full color, full colour, color; color, colour, full
color, in color; grayscale, black and white, gray scale, shades of gray; monochrome, mono, single color;
transparent, trans, see through, clear; greater than, more than, above, over, exceeds, bigger than, at
least; less than, below, under, smaller than, fewer than, at most; equal to, equals, equal, same as, is; not
equal to, different from, not equal, is not, unequal; between, in range, range; startswith, starts with,
begins with, beginning with, prefix; endswith, ends with, ending with, suffix; contains, includes, has,
containing; equals, is exactly, exactly, matches; boiling, boil, boiled; steaming, steam, steamed; roasting,
roast, oven roasted, baked; grilling, grill, grilled, barbecue, bbq; frying, fry, fried; baking, bake,
baked, oven; approve, accept, agree, allow, ok, yes; reject, deny, refuse, decline, disapprove, no;
escalate, forward, raise, hand over, pass on; cancel, abort, call off; confirm, verify, agree; standard,
regular, normal, usual, default, ordinary; express, fast, overnight, next day, priority, quick; pickup,
collection, self collect; delivery, home delivery, delivered, shipping; birth, born, birthday; death, died,
passed away; achievement, accomplishments, accomplishment, success, awards; marriage, married, wedding;
origin, source, where from; roster, team members, players, lineup, squad; results, scores, outcomes, result;
upcoming matches, next games, schedule, fixtures, upcoming games; standings, table, ranking, rankings;
stats, statistics, numbers; easy, simple, beginner, novice; medium, intermediate, moderate, average; hard,
difficult, expert, advanced, challenging; junior, entry level, beginner, new; senior, expert, experienced,
advanced; mid, mid level, intermediate, medium; lead, principal, head; thirty minutes, half an hour, half
hour; one hour, sixty minutes, an hour, 60 minutes; two hours, 120 minutes; one hour thirty minutes, 90
minutes, an hour and a half; fifteen minutes, quarter of an hour, quarter hour; forty five minutes, three
quarters of an hour; production, prod, live, main; staging, stage, preproduction, pre prod; test, testing,
qa; sandbox, playground, trial; treadmills, running machine, running machines; free weights, dumbbells,
barbells; weight machines, strength machines; ellipticals, cross trainer; yoga, stretching; spin, spinning,
indoor cycling, cycling class; conference, summit, congress, convention; webinar, online seminar, web
seminar; workshop, training, hands on session, training session; meetup, gathering, get together; party,
celebration; meeting, appointment, conference call, get together; error, failure, errors, fault, failed;
warning, warn, caution, warnings; info, information, informational, notice; critical, severe, fatal,
emergency, urgent; debug, debugging, trace; drop, remove, delete, discard, skip; fill, impute, replace,
substitute, pad; keep, leave, retain; ignore, skip, disregard; face, portrait, faces, headshot; photo,
photograph, picture; clipart, clip art, drawing; lineart, line drawing, line art, sketch, outline; animated,
gif, animation, moving; stock, stock photo; purchase, buy, order, buying; support, help, assistance, aid;
feedback, review, comments, opinion, suggestion; inquiry, question, enquiry, query, ask; complaint,
grievance, dissatisfaction; information, info, details; manual, by hand, manually; scheduled, planned,
timed, recurring, cron; automatic, auto, automated, automatically; callback, webhook, hook; hybrid, mixed,
combined, both, combination; remote, work from home, from home, telework, online; on site, onsite, in
office, in person, at the office; grid, tiles, cards, mosaic; list, rows, listing; single column, one
column; multi column, several columns, multiple columns, two columns; table, spreadsheet, rows and columns;
commercial, for business, business use; noncommercial, non profit, nonprofit, private use; public domain,
cc0, no copyright, free use; standard, normal, user; guest, visitor, anonymous; admin, administrator,
superuser, root; user, member, regular user, person; moderator, mod; owner, proprietor, holder; editor,
writer, contributor; viewer, reader; custom, user defined, personalized, personalised, bespoke, customized,
tailored; simple, basic, plain, easy; complex, complicated, advanced, sophisticated; encrypt, encryption,
encipher, cipher; decrypt, decryption, decipher; encode, encoding; decode, decoding, decipher; compress,
zip, shrink; hash, digest, checksum; cpu usage, processor usage, processor load, cpu load, cpu; memory
utilization, memory usage, ram, ram usage, memory; disk io, disk throughput, disk usage, disk; network
traffic, bandwidth, network usage, network; defrost, thaw, unfreeze; convection, fan oven, hot air;
microwave, nuke; cool, cooling, cold, air conditioning; heat, heating, warm; fan, ventilation, blow, blower;
email, e mail, mail, electronic mail; sms, text message, text; push, push notification, app notification;
none, no notifications, nothing, no, off; phone, call, telephone; post, mail, letter; processing, in
progress, being processed, preparing; shipped, sent, dispatched, on the way, in transit; cancelled,
canceled, called off; pending, waiting, awaiting, on hold; paid, settled, payment received; unpaid, not
paid, outstanding, due; overdue, late, past due; dog, puppy, hound; cat, kitten, kitty; bird, parrot,
budgie; reptile, snake, lizard, turtle; rabbit, bunny; other, something else, else, different; auto, car,
vehicle, car insurance; home, house, homeowner, homeowners; life, life insurance; health, medical, health
insurance; travel, trip, travel insurance; online, available, connected; away, absent, idle, not here, afk;
dnd, do not disturb, busy; invisible, hidden, offline, not visible; offline, disconnected; private, only me,
hidden, secret, personal, nobody; public, everyone, open, anyone, everybody, visible; friends only, friends,
my friends; internal, company only, inside; team, group, coworkers, colleagues; organization, company,
organisation, everyone in the company; unlisted, link only, hidden link; workout, gym, exercise, training,
fitness; break time, pause, break, rest; meditation, mindfulness, meditate; general reminder, reminder,
remind me; wake, wake up; timer, countdown; reminder, remind, remember; tropical rainforest, jungle,
rainforest; desert, arid, sahara; tundra, arctic, polar; grassland, savanna, prairie, steppe; ocean, sea,
marine; forest, woods, woodland; mountain, mountains, alpine; coast, beach, shore, seaside; city, urban,
downtown, town; countryside, rural, country; son, boy, male child; daughter, girl, female child; friend,
buddy, pal, mate; mother, mom, mum; father, dad, daddy; brother, sibling; sister, sibling; not started,
todo, to do, new, unstarted; in progress, ongoing, started, doing, working on it; completed, done, finished,
complete; open, new, unresolved, active; closed, done, resolved, finished; resolved, closed, fixed, solved,
done; in review, under review, reviewing, being reviewed; success, successful, succeeded, ok, passed,
worked; failure, failed, error, fail, unsuccessful; draft, unfinished, not published; published, live,
public; active, enabled, running, in use, on; inactive, disabled, not active, off; summary, brief, short,
overview, condensed; full, complete, detailed, entire, comprehensive, everything; detailed, in depth, full,
thorough; partial, incomplete, some; basic, simple, minimal, essential; csv, comma separated, comma
separated values; pdf, portable document, portable document format; docx, word, word document; txt, plain
text, text file; md, markdown; jpg, jpeg, photo; html, web page, webpage; zip, compressed, archive; virtual
machine, vm, virtual server; physical server, bare metal, hardware server, dedicated server; container,
docker, pod; array, list, sequence; string, text, characters; object, dictionary, map; integer, whole
number, int; boolean, true or false, bool; summer, summertime, hot season; winter, wintertime, cold season;
monsoon, rainy season; haircut, trim, cut, hair cut; coloring, dye, hair color, colour, tinting; styling,
style, blow dry, hairdo; treatment, therapy, care; massage, back rub; manicure, nails; low, minor, small,
minimal, little; medium, moderate, average, middle; high, major, large, big, important; critical, severe,
urgent, emergency, extreme; convenience store, corner shop, corner store, mini market; discount store,
bargain shop, outlet, dollar store; bakery, bread shop; butcher, meat shop; ner, named entity recognition,
entity recognition; question answering, qa, answer questions; text generation, generate text, writing;
summarization, summarize, summary; sentiment analysis, sentiment, opinion mining; translation, translate;
cold, iced, chilled, cool, freezing; hot, very hot, boiling, steaming; light, bright, day, white; dark,
night, black; formal, polite, official, respectful; informal, casual, relaxed, friendly; professional,
business, businesslike; funny, humorous, comedic; serious, earnest; fruit, fruits, apple, banana; vegetable,
vegetables, veggie, veggies; meat, beef, chicken, pork; dairy, milk, milk products, cheese; grain, grains,
cereal, wheat, rice; bakery, bread, baked goods, pastries; milliseconds, ms, millis; seconds, s, sec, secs;
minutes, min, mins; hours, h, hrs, hr; days, d; weeks, wks; months, mos; years, yrs; c, celsius, centigrade;
f, fahrenheit; k, kelvin; kph, km h, kilometers per hour; mph, miles per hour; mps, meters per second;
meters, metres, metric; feet, imperial, ft; inches, inch, in; centimeters, cm; kilometers, km, metric;
miles, mi; kilograms, kg, metric; pounds, lb, lbs, imperial; california, ca; texas, tx; florida, fl; new
york, ny, nyc; illinois, il; washington, wa; massachusetts, ma; pennsylvania, pa; ohio, oh; georgia, ga;
michigan, mi; nevada, nv; colorado, co; arizona, az; los angeles, la; san francisco, sf; washington dc, dc;
sunny, clear, clear skies, bright; cloudy, overcast, clouds, grey; rainy, rain, showers, wet, raining;
snowy, snow, snowing; stormy, storm, thunderstorm; windy, breezy, wind; foggy, fog, mist, misty; delete,
remove, erase, clear; create, make, add, new, insert; update, change, modify, edit; get, fetch, read,
retrieve; select, read, query, choose; insert, add, append; check, inspect, verify, look; start, begin,
launch, go; stop, end, halt, finish; turn on, switch on, enable, on, activate; turn off, switch off,
disable, off, deactivate; open, unlock, unlocked; closed, shut, locked; lock, secure, close; unlock, open,
release; increase, raise, up, more, higher; decrease, lower, reduce, down, less; mute, silence, silent;
play, start, resume; pause, hold, stop; first class, luxury, top class; business, business class, executive;
economy, coach, economy class, standard; premium economy, premium, economy plus; window, window seat, by the
window; aisle, aisle seat; middle, middle seat; one stop, single stop, one stopover, one layover; round
trip, return, both ways, two way; one way, single, single trip, outbound; single, one bed, single bed;
double, two beds, double bed, queen; suite, luxury room; king, king size, king bed; family, family room;
deluxe, premium, superior, luxury; dormitory, dorm, shared room; vegan, plant based; vegetarian, veggie,
meatless, no meat; gluten free, no gluten, celiac; spicy, hot, chili; mild, not spicy; sweet, sugary; salty,
salted; sour, acidic, tart; bitter, hoppy; dine in, eat in, sit down; takeout, take away, takeaway, to go;
delivery, home delivery; outdoor, outside, open air; indoor, inside; left, left hand, left side; right,
right hand, right side; top, upper, above; bottom, lower, below; front, forward; rear, back, behind; center,
middle, centre; north, n, up; south, s, down; east, e; west, w; both, two, either; none, neither, no one;
all, everything, every, any, whole, everyone; any, whatever, no preference, all, dontcare; dontcare, any, no
preference, whatever, does not matter, do not care, anything; stock, shares, equities, equity; bond, bonds,
fixed income, treasury; crypto, cryptocurrency, bitcoin, coin; etf, index fund, exchange traded fund;
commodity, commodities, gold, oil; cash, money, notes; credit card, credit, visa, mastercard; debit card,
debit, bank card; bank transfer, wire, transfer, wire transfer; market, market order, at market price;
limit, limit order; stop, stop loss, stop order; buy, purchase, long; sell, sale, short; income, earnings,
revenue; expense, cost, spending, expenses; fixed, fixed rate, constant; variable, floating, adjustable,
changing; simple, simple interest; savings, saving, deposit; loan, credit, borrowing; mortgage, home loan;
checking, current, current account; investment, investing, portfolio; weekly, every week, once a week;
monthly, every month, once a month; daily, every day, once a day; yearly, annually, annual, every year;
annually, yearly, annual, every year, once a year; quarterly, every quarter, every three months; hourly,
every hour; biweekly, every two weeks, fortnightly; semiannually, twice a year, half yearly, every six
months; median, middle, middle value; mode, most frequent, most common; sum, total, add up; min, minimum,
lowest, smallest; max, maximum, highest, largest; count, number, how many; std, standard deviation;
variance, spread; linear, straight, straight line; quadratic, second degree, square; exponential, exp;
logarithmic, log; normal, gaussian, bell curve; uniform, flat, even; random, arbitrary, shuffled;
sequential, in order, one by one; parallel, simultaneous, at once; increasing, ascending, rising, up;
decreasing, descending, falling, down; male, man, men, m, boy; female, woman, women, f, girl; non binary,
nonbinary, other; child, kid, minor, young; adult, grown up, grownup; senior, elderly, old, retired;
teenager, teen, adolescent; infant, baby, newborn; adults, adult; children, kids, child; guitar, guitars;
piano, pianos, keyboard; violin, violins, fiddle; drums, drum, percussion; flute, flutes; trumpet, horn;
bass, bass guitar; cello, violoncello; major, main, happy; minor, secondary, sad; whole, full, semibreve;
half, minim; quarter, crotchet; eighth, quaver; solid, hard, frozen; gas, vapor, gaseous; acid, acidic,
sour; base, basic, alkaline; mammal, mammals; insect, insects, bug, bugs; plant, plants, vegetation, flora;
animal, animals, fauna; human, person, people; action, fighting, fight; comedy, funny, humor, humorous,
laugh; drama, dramatic; horror, scary, frightening, spooky; thriller, suspense, suspenseful; sci fi, science
fiction, scifi, futuristic; fantasy, magic, magical; romance, romantic, love, love story; mystery,
detective, whodunit, crime; animation, animated, cartoon; western, cowboy, cowboys; war, military, battle;
musical, singing; pop, popular music; rock, rock and roll; country, bluegrass; classical, orchestra,
symphony; hip hop, rap, hiphop; electronic, edm, techno, electronica; strategy, tactics; racing, car racing;
sports, sport, athletic; puzzle, brain teaser, riddle; role playing, rpg; multiplayer, with others, online;
single player, solo, alone
`
