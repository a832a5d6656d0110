S Yesterday I went to library and borrowed three book about history .
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 8 9|||Nn|||books|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 8 9|||Nn|||books|||REQUIRED|||-NONE-|||1

S My mother work as nurse in a big hospital near our house .
A 2 3|||SVA|||works|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 2 3|||SVA|||works|||REQUIRED|||-NONE-|||1
A 4 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 5 6|||Prep|||at|||REQUIRED|||-NONE-|||1

S The train was late again .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I am looking forward to visit your country next summer .
A 5 6|||Vform|||visiting|||REQUIRED|||-NONE-|||0
A 5 6|||Vform|||visiting|||REQUIRED|||-NONE-|||1

S Nowadays , many people prefer to buying things online because it is more cheaper .
A 6 7|||Vform|||buy|||REQUIRED|||-NONE-|||0
A 12 13|||Rloc-||||||REQUIRED|||-NONE-|||0
A 5 6|||Prep||||||REQUIRED|||-NONE-|||1
A 12 13|||Rloc-||||||REQUIRED|||-NONE-|||1

S We must take care of environment before is too late .
A 5 5|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 7 7|||Pform|||it|||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||our|||REQUIRED|||-NONE-|||1
A 7 7|||Pform|||it|||REQUIRED|||-NONE-|||1

S My boss said me that I can take two day off if I finish the report .
A 2 3|||Wci|||told|||REQUIRED|||-NONE-|||0
A 6 7|||Vm|||could|||REQUIRED|||-NONE-|||0
A 9 10|||Nn|||days|||REQUIRED|||-NONE-|||0
A 13 14|||Vt|||finished|||REQUIRED|||-NONE-|||0
A 3 4|||Pform||||||REQUIRED|||-NONE-|||1
A 6 7|||Vm|||could|||REQUIRED|||-NONE-|||1
A 9 10|||Nn|||days|||REQUIRED|||-NONE-|||1
A 13 14|||Vt|||finished|||REQUIRED|||-NONE-|||1

S The informations on this website are not always true .
A 1 2|||Nn|||information|||REQUIRED|||-NONE-|||0
A 5 6|||SVA|||is|||REQUIRED|||-NONE-|||0
A 1 2|||Nn|||information|||REQUIRED|||-NONE-|||1
A 5 6|||SVA|||is|||REQUIRED|||-NONE-|||1
A 8 9|||Wci|||reliable|||REQUIRED|||-NONE-|||1

S When we arrived to the airport , our flight had already leaved .
A 3 4|||Prep|||at|||REQUIRED|||-NONE-|||0
A 11 12|||Vform|||left|||REQUIRED|||-NONE-|||0
A 2 3|||Wci|||got|||REQUIRED|||-NONE-|||1
A 8 9|||Wci|||plane|||REQUIRED|||-NONE-|||1
A 11 12|||Vform|||left|||REQUIRED|||-NONE-|||1

S I have two brother and one sister , they all live in different cities .
A 3 4|||Nn|||brothers|||REQUIRED|||-NONE-|||0
A 8 8|||Srun|||and|||REQUIRED|||-NONE-|||0
A 3 4|||Nn|||brothers|||REQUIRED|||-NONE-|||1
A 7 9|||Srun|||. They|||REQUIRED|||-NONE-|||1

S She has lived in this town since she was ten .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S In my opinion , smartphones has changed our lives in many ways .
A 5 6|||SVA|||have|||REQUIRED|||-NONE-|||0
A 5 6|||SVA|||have|||REQUIRED|||-NONE-|||1

S She is very good in play the piano .
A 4 5|||Prep|||at|||REQUIRED|||-NONE-|||0
A 5 6|||Vform|||playing|||REQUIRED|||-NONE-|||0
A 4 6|||Prep|||at|||REQUIRED|||-NONE-|||1

S The weather very hot , so we decided go to the beach .
A 2 2|||V0|||was|||REQUIRED|||-NONE-|||0
A 8 8|||Vform|||to|||REQUIRED|||-NONE-|||0
A 2 2|||V0|||was|||REQUIRED|||-NONE-|||1
A 7 9|||Wci|||went|||REQUIRED|||-NONE-|||1

S I like very much listen to music when I study .
A 1 7|||WOinc|||like listening to music very much|||REQUIRED|||-NONE-|||0
A 1 4|||WOinc|||really like|||REQUIRED|||-NONE-|||1
A 4 4|||Vform|||to|||REQUIRED|||-NONE-|||1

S Although I was tire after the long meeting , but I stayed in office until nine because I wanted finish my presentation for next day .
A 3 4|||Wform|||tired|||REQUIRED|||-NONE-|||0
A 9 10|||Trans||||||REQUIRED|||-NONE-|||0
A 13 13|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 19 19|||Vform|||to|||REQUIRED|||-NONE-|||0
A 23 23|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 0 2|||Trans|||I|||REQUIRED|||-NONE-|||1
A 3 4|||Wform|||tired|||REQUIRED|||-NONE-|||1
A 12 13|||Prep|||at|||REQUIRED|||-NONE-|||1
A 13 13|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 19 19|||Vform|||to|||REQUIRED|||-NONE-|||1
A 23 23|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S I recieved beautiful letter from my friend .
A 1 2|||Mec|||received|||REQUIRED|||-NONE-|||0
A 2 2|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 1 2|||Mec|||received|||REQUIRED|||-NONE-|||1
A 2 2|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1

S My sister lost his keys , so could not open the door .
A 3 4|||Pform|||her|||REQUIRED|||-NONE-|||0
A 7 7|||Pform|||she|||REQUIRED|||-NONE-|||0
A 3 4|||Pform|||her|||REQUIRED|||-NONE-|||1
A 5 7|||Trans|||and|||REQUIRED|||-NONE-|||1

S The life in the big city is more expensive than in small village .
A 0 2|||ArtOrDet|||Life|||REQUIRED|||-NONE-|||0
A 3 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 11 11|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 0 2|||ArtOrDet|||Life|||REQUIRED|||-NONE-|||1
A 3 4|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 5 6|||Nn|||cities|||REQUIRED|||-NONE-|||1
A 12 13|||Nn|||villages|||REQUIRED|||-NONE-|||1

S We had dinner at a small restaurant by the river , and then we walked back to the hotel .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 10 14|||Rloc-|||and then|||REQUIRED|||-NONE-|||1

S If I have enough money , I will travelled around world .
A 8 9|||Vform|||travel|||REQUIRED|||-NONE-|||0
A 10 10|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 2 3|||Vt|||had|||REQUIRED|||-NONE-|||1
A 7 9|||Vt|||would travel|||REQUIRED|||-NONE-|||1
A 10 10|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S Its very important to children sleep at least nine hour a night .
A 0 1|||Mec|||It 's|||REQUIRED|||-NONE-|||0
A 3 4|||Prep|||for|||REQUIRED|||-NONE-|||0
A 5 5|||Vform|||to|||REQUIRED|||-NONE-|||0
A 9 10|||Nn|||hours|||REQUIRED|||-NONE-|||0
A 0 1|||Mec|||It is|||REQUIRED|||-NONE-|||1
A 3 4|||Trans|||that|||REQUIRED|||-NONE-|||1
A 6 6|||Prep|||for|||REQUIRED|||-NONE-|||1
A 9 10|||Nn|||hours|||REQUIRED|||-NONE-|||1
A 10 11|||Wci|||every|||REQUIRED|||-NONE-|||1

S Last year my family and I have gone to Spain and stayed there during two weeks .
A 6 8|||Vt|||went|||REQUIRED|||-NONE-|||0
A 13 14|||Prep|||for|||REQUIRED|||-NONE-|||0
A 6 8|||Vt|||went|||REQUIRED|||-NONE-|||1
A 13 14|||Prep|||for|||REQUIRED|||-NONE-|||1

S The number of cars in our cities are growing every year .
A 7 8|||SVA|||is|||REQUIRED|||-NONE-|||0
A 7 9|||SVA|||grows|||REQUIRED|||-NONE-|||1

S I wanted to buy the camera , however it was too expensive to me .
A 6 8|||Mec|||; however ,|||REQUIRED|||-NONE-|||0
A 12 13|||Prep|||for|||REQUIRED|||-NONE-|||0
A 7 8|||Trans|||but|||REQUIRED|||-NONE-|||1
A 12 13|||Prep|||for|||REQUIRED|||-NONE-|||1

S There are many reason why young people leaves their hometown .
A 3 4|||Nn|||reasons|||REQUIRED|||-NONE-|||0
A 7 8|||SVA|||leave|||REQUIRED|||-NONE-|||0
A 3 4|||Nn|||reasons|||REQUIRED|||-NONE-|||1
A 7 8|||SVA|||leave|||REQUIRED|||-NONE-|||1
A 9 10|||Nn|||hometowns|||REQUIRED|||-NONE-|||1

S Many factories throws theirs waste into river , what kills the fishs and makes the water dangerous to drink .
A 2 3|||SVA|||throw|||REQUIRED|||-NONE-|||0
A 3 4|||Pform|||their|||REQUIRED|||-NONE-|||0
A 6 6|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 8 9|||Pform|||which|||REQUIRED|||-NONE-|||0
A 11 12|||Nn|||fish|||REQUIRED|||-NONE-|||0
A 2 5|||Wci|||dump their waste|||REQUIRED|||-NONE-|||1
A 6 7|||Nn|||rivers|||REQUIRED|||-NONE-|||1
A 8 10|||Vform|||killing|||REQUIRED|||-NONE-|||1
A 11 12|||Nn|||fish|||REQUIRED|||-NONE-|||1
A 13 14|||Vform|||making|||REQUIRED|||-NONE-|||1

S He do n't like coffee .
A 1 2|||SVA|||does|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||does|||REQUIRED|||-NONE-|||1

S In july I will start to learn french in an evening school .
A 1 2|||Mec|||July|||REQUIRED|||-NONE-|||0
A 7 8|||Mec|||French|||REQUIRED|||-NONE-|||0
A 8 9|||Prep|||at|||REQUIRED|||-NONE-|||0
A 1 2|||Mec|||July|||REQUIRED|||-NONE-|||1
A 5 7|||Vform|||learning|||REQUIRED|||-NONE-|||1
A 7 8|||Mec|||French|||REQUIRED|||-NONE-|||1
A 8 9|||Prep|||at|||REQUIRED|||-NONE-|||1

S I am agree with people which say that homework is useful .
A 1 2|||Vform||||||REQUIRED|||-NONE-|||0
A 5 6|||Pform|||who||that|||REQUIRED|||-NONE-|||0
A 1 3|||Wform|||am in agreement|||REQUIRED|||-NONE-|||1
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 5 6|||Pform|||who|||REQUIRED|||-NONE-|||1

S Learning a new language takes time , but it is worth the effort .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I am working in this company since five years .
A 1 3|||Vt|||have been working|||REQUIRED|||-NONE-|||0
A 3 4|||Prep|||for|||REQUIRED|||-NONE-|||0
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||0
A 1 3|||Vt|||have worked|||REQUIRED|||-NONE-|||1
A 3 4|||Prep|||at|||REQUIRED|||-NONE-|||1
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||1

S Trains are faster than bus , but the tickets costs more .
A 4 5|||Nn|||buses|||REQUIRED|||-NONE-|||0
A 9 10|||SVA|||cost|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 9 10|||SVA|||cost|||REQUIRED|||-NONE-|||1

S The goverment should to spend more money for public transport .
A 1 2|||Mec|||government|||REQUIRED|||-NONE-|||0
A 3 4|||Vform||||||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||on|||REQUIRED|||-NONE-|||0
A 1 2|||Mec|||government|||REQUIRED|||-NONE-|||1
A 3 5|||Wci|||invest|||REQUIRED|||-NONE-|||1
A 7 8|||Prep|||in|||REQUIRED|||-NONE-|||1

S My grandfather , who was farmer , teached me how to plant trees .
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 7 8|||Vform|||taught|||REQUIRED|||-NONE-|||0
A 3 5|||Rloc-||||||REQUIRED|||-NONE-|||1
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 7 8|||Vform|||taught|||REQUIRED|||-NONE-|||1

S Can you tell me where is the station ?
A 5 8|||WOinc|||the station is|||REQUIRED|||-NONE-|||0
A 5 8|||WOinc|||the station is|||REQUIRED|||-NONE-|||1

S I did not know what should I do , so I called my teacher for an advice .
A 5 7|||WOinc|||I should|||REQUIRED|||-NONE-|||0
A 15 16|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 5 7|||WOinc|||to|||REQUIRED|||-NONE-|||1
A 15 16|||ArtOrDet|||some|||REQUIRED|||-NONE-|||1

S My city is very beautiful , it has many old building and parks , every year a lot of tourists visits it for take photos .
A 5 7|||Srun|||. It|||REQUIRED|||-NONE-|||0
A 10 11|||Nn|||buildings|||REQUIRED|||-NONE-|||0
A 13 15|||Srun|||. Every|||REQUIRED|||-NONE-|||0
A 20 21|||SVA|||visit|||REQUIRED|||-NONE-|||0
A 22 23|||Vform|||to|||REQUIRED|||-NONE-|||0
A 5 7|||Srun|||; it|||REQUIRED|||-NONE-|||1
A 10 11|||Nn|||buildings|||REQUIRED|||-NONE-|||1
A 14 14|||Srun|||and|||REQUIRED|||-NONE-|||1
A 20 23|||Wci|||come to|||REQUIRED|||-NONE-|||1

S He did a big mistake when he lent all his money to stranger .
A 1 2|||Wci|||made|||REQUIRED|||-NONE-|||0
A 12 12|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||made|||REQUIRED|||-NONE-|||1
A 12 12|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1

S Despite of the rain , we enjoyed very much the trip .
A 1 2|||Prep||||||REQUIRED|||-NONE-|||0
A 6 11|||WOinc|||enjoyed the trip very much|||REQUIRED|||-NONE-|||0
A 0 1|||Prep|||In spite|||REQUIRED|||-NONE-|||1
A 6 9|||WOinc|||really enjoyed|||REQUIRED|||-NONE-|||1

S Students must to wear an uniform in my school , but nobody like it .
A 2 3|||Vform||||||REQUIRED|||-NONE-|||0
A 4 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 6 7|||Prep|||at|||REQUIRED|||-NONE-|||0
A 12 13|||SVA|||likes|||REQUIRED|||-NONE-|||0
A 1 2|||Vm|||have|||REQUIRED|||-NONE-|||1
A 4 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 12 13|||SVA|||likes|||REQUIRED|||-NONE-|||1

S The film that we have seen last night was so bored that I fell asleep .
A 4 6|||Vt|||saw|||REQUIRED|||-NONE-|||0
A 10 11|||Wform|||boring|||REQUIRED|||-NONE-|||0
A 2 3|||Pform||||||REQUIRED|||-NONE-|||1
A 4 6|||Vt|||saw|||REQUIRED|||-NONE-|||1
A 10 11|||Wform|||boring|||REQUIRED|||-NONE-|||1

S Computers help us make our work quickly , but it also makes us lazy .
A 3 4|||Wci|||do|||REQUIRED|||-NONE-|||0
A 9 10|||Pref|||they|||REQUIRED|||-NONE-|||0
A 11 12|||SVA|||make|||REQUIRED|||-NONE-|||0
A 3 4|||Wci|||do|||REQUIRED|||-NONE-|||1
A 6 7|||Wci|||faster|||REQUIRED|||-NONE-|||1
A 9 10|||Pref|||they|||REQUIRED|||-NONE-|||1
A 11 12|||SVA|||make|||REQUIRED|||-NONE-|||1

S I have visited Rome three years ago with my best friends .
A 1 3|||Vt|||visited|||REQUIRED|||-NONE-|||0
A 1 3|||Vt|||visited|||REQUIRED|||-NONE-|||1

S If it rains tomorrow , we will stay at home and watch a film .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S The teacher gave us many homeworks and we had to finish them until Monday .
A 4 6|||Nn|||a lot of homework|||REQUIRED|||-NONE-|||0
A 11 12|||Pref|||it|||REQUIRED|||-NONE-|||0
A 12 13|||Prep|||by|||REQUIRED|||-NONE-|||0
A 5 6|||Wci|||exercises|||REQUIRED|||-NONE-|||1
A 12 13|||Prep|||by|||REQUIRED|||-NONE-|||1

S She suggested me to see doctor because I had been coughing for a week .
A 2 4|||Vform|||that I|||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||advised|||REQUIRED|||-NONE-|||1
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1

S There are much people in the world who does not have clean water to drink .
A 2 3|||Wci|||many|||REQUIRED|||-NONE-|||0
A 8 9|||SVA|||do|||REQUIRED|||-NONE-|||0
A 2 3|||Wci|||a lot of|||REQUIRED|||-NONE-|||1
A 8 9|||SVA|||do|||REQUIRED|||-NONE-|||1

S Do exercise every day help you stay healthy .
A 0 1|||Vform|||Doing|||REQUIRED|||-NONE-|||0
A 4 5|||SVA|||helps|||REQUIRED|||-NONE-|||0
A 0 2|||Vform|||Exercising|||REQUIRED|||-NONE-|||1
A 4 5|||SVA|||helps|||REQUIRED|||-NONE-|||1

S My parents house is near from sea , so I swim every day in summer .
A 2 2|||Npos|||'|||REQUIRED|||-NONE-|||0
A 5 6|||Prep||||||REQUIRED|||-NONE-|||0
A 6 6|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 2 2|||Npos|||'|||REQUIRED|||-NONE-|||1
A 4 6|||Prep|||close to|||REQUIRED|||-NONE-|||1
A 6 6|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S Nowadays children spend too much times in front of screens , and as a result of this fact they do not play outside with theirs friends like we did when we was young , what is very sad .
A 5 6|||Nn|||time|||REQUIRED|||-NONE-|||0
A 15 18|||Rloc-||||||REQUIRED|||-NONE-|||0
A 24 25|||Pform|||their|||REQUIRED|||-NONE-|||0
A 31 32|||SVA|||were|||REQUIRED|||-NONE-|||0
A 34 35|||Pform|||which|||REQUIRED|||-NONE-|||0
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||1
A 5 6|||Nn|||time|||REQUIRED|||-NONE-|||1
A 15 18|||Rloc-|||,|||REQUIRED|||-NONE-|||1
A 24 25|||Pform|||their|||REQUIRED|||-NONE-|||1
A 26 27|||Wci|||as|||REQUIRED|||-NONE-|||1
A 31 32|||SVA|||were|||REQUIRED|||-NONE-|||1
A 33 35|||Srun|||. This|||REQUIRED|||-NONE-|||1

S I am used to wake up early because my school begin at seven .
A 4 5|||Vform|||waking|||REQUIRED|||-NONE-|||0
A 10 11|||SVA|||begins|||REQUIRED|||-NONE-|||0
A 4 5|||Vform|||getting|||REQUIRED|||-NONE-|||1
A 10 11|||SVA|||begins|||REQUIRED|||-NONE-|||1

S On other hand , living alone teach you to be independant .
A 1 1|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 6 7|||SVA|||teaches|||REQUIRED|||-NONE-|||0
A 10 11|||Mec|||independent|||REQUIRED|||-NONE-|||0
A 0 3|||Trans|||However|||REQUIRED|||-NONE-|||1
A 6 7|||SVA|||teaches|||REQUIRED|||-NONE-|||1
A 10 11|||Mec|||independent|||REQUIRED|||-NONE-|||1

S We waited the bus for more than hour and finaly taked a taxi .
A 2 2|||Prep|||for|||REQUIRED|||-NONE-|||0
A 7 7|||ArtOrDet|||an|||REQUIRED|||-NONE-|||0
A 9 10|||Mec|||finally|||REQUIRED|||-NONE-|||0
A 10 11|||Vform|||took|||REQUIRED|||-NONE-|||0
A 2 2|||Prep|||for|||REQUIRED|||-NONE-|||1
A 7 7|||ArtOrDet|||one|||REQUIRED|||-NONE-|||1
A 9 10|||Mec|||finally|||REQUIRED|||-NONE-|||1
A 10 11|||Vform|||took|||REQUIRED|||-NONE-|||1

S The book was wrote by famous author and translated in many languages .
A 3 4|||Vform|||written|||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 9 10|||Prep|||into|||REQUIRED|||-NONE-|||0
A 3 4|||Vform|||written|||REQUIRED|||-NONE-|||1
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 8 8|||Vt|||has been|||REQUIRED|||-NONE-|||1
A 9 10|||Prep|||into|||REQUIRED|||-NONE-|||1

S I do n't have nothing to wear for the weeding .
A 4 5|||Wci|||anything|||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||to|||REQUIRED|||-NONE-|||0
A 9 10|||Mec|||wedding|||REQUIRED|||-NONE-|||0
A 1 4|||Rloc-|||have|||REQUIRED|||-NONE-|||1
A 9 10|||Mec|||wedding|||REQUIRED|||-NONE-|||1

S Thank you very much for your help with my application .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S The most big problem of my country is that the young people can not find a work .
A 1 3|||Wform|||biggest|||REQUIRED|||-NONE-|||0
A 4 5|||Prep|||in|||REQUIRED|||-NONE-|||0
A 9 10|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 15 16|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 1 3|||Wform|||biggest|||REQUIRED|||-NONE-|||1
A 9 10|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 15 17|||Wci|||a job|||REQUIRED|||-NONE-|||1

S I will explain you how this machine works .
A 3 3|||Prep|||to|||REQUIRED|||-NONE-|||0
A 2 3|||Wci|||show|||REQUIRED|||-NONE-|||1

S After graduate from university , I would like to find job which allows me to travel .
A 1 2|||Vform|||graduating|||REQUIRED|||-NONE-|||0
A 10 10|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 1 3|||Wci|||leaving|||REQUIRED|||-NONE-|||1
A 10 10|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 11 13|||Vt|||that will allow|||REQUIRED|||-NONE-|||1

S My new phone has more good camera that my old .
A 4 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 4 6|||Wform|||better|||REQUIRED|||-NONE-|||0
A 7 8|||Wci|||than|||REQUIRED|||-NONE-|||0
A 10 10|||Others|||one|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 4 6|||Wform|||better|||REQUIRED|||-NONE-|||1
A 7 10|||Others|||than my old one|||REQUIRED|||-NONE-|||1

S Yesterday there was big storm and electricity go out in whole neighbourhood .
A 3 3|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 6 6|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 7 8|||Vt|||went|||REQUIRED|||-NONE-|||0
A 10 10|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 0 3|||WOinc|||There was|||REQUIRED|||-NONE-|||1
A 3 3|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 5 5|||WOinc|||yesterday|||REQUIRED|||-NONE-|||1
A 6 6|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 7 8|||Vt|||went|||REQUIRED|||-NONE-|||1
A 10 10|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S He is a honest man and everybody trust him .
A 2 3|||ArtOrDet|||an|||REQUIRED|||-NONE-|||0
A 7 8|||SVA|||trusts|||REQUIRED|||-NONE-|||0
A 2 3|||ArtOrDet|||an|||REQUIRED|||-NONE-|||1
A 7 8|||SVA|||trusts|||REQUIRED|||-NONE-|||1

S Plastic bags are one of worst things for sea animals because they confuse it with food and die .
A 5 5|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 13 14|||Pref|||them|||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 12 15|||Wci|||mistake them for|||REQUIRED|||-NONE-|||1

S Is difficult for me speak in front of many people .
A 0 1|||Pform|||It is|||REQUIRED|||-NONE-|||0
A 4 4|||Vform|||to|||REQUIRED|||-NONE-|||0
A 0 4|||Others|||I find it difficult|||REQUIRED|||-NONE-|||1
A 4 4|||Vform|||to|||REQUIRED|||-NONE-|||1

S Even if the exam was very hardly , all of my classmates passed .
A 1 2|||Trans|||though|||REQUIRED|||-NONE-|||0
A 6 7|||Wform|||hard|||REQUIRED|||-NONE-|||0
A 0 2|||Trans|||Although|||REQUIRED|||-NONE-|||1
A 6 7|||Wci|||difficult|||REQUIRED|||-NONE-|||1
A 13 13|||Pform|||it|||REQUIRED|||-NONE-|||1

S Do you know why did he left so early ?
A 4 5|||WOinc||||||REQUIRED|||-NONE-|||0
A 0 4|||Rloc-|||Why|||REQUIRED|||-NONE-|||1
A 6 7|||Vform|||leave|||REQUIRED|||-NONE-|||1

S My friend and I is planning to go to camping in the weekend .
A 4 5|||SVA|||are|||REQUIRED|||-NONE-|||0
A 8 9|||Prep||||||REQUIRED|||-NONE-|||0
A 10 11|||Prep|||at||on|||REQUIRED|||-NONE-|||0
A 4 5|||SVA|||are|||REQUIRED|||-NONE-|||1
A 8 9|||Prep||||||REQUIRED|||-NONE-|||1
A 10 13|||Prep|||this weekend|||REQUIRED|||-NONE-|||1

S The childrens were playing in garden when started to rain .
A 1 2|||Nn|||children|||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 7 7|||Pform|||it|||REQUIRED|||-NONE-|||0
A 1 2|||Nn|||children|||REQUIRED|||-NONE-|||1
A 5 5|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 7 7|||Pform|||it|||REQUIRED|||-NONE-|||1
A 8 10|||Vform|||raining|||REQUIRED|||-NONE-|||1

S My uncle gave me a very good advise before my first job interview .
A 4 5|||ArtOrDet|||some|||REQUIRED|||-NONE-|||0
A 7 8|||Wform|||advice|||REQUIRED|||-NONE-|||0
A 7 8|||Wform|||piece of advice|||REQUIRED|||-NONE-|||1

S People who live in countryside breathe more clean air as people in cities .
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 6 8|||Wform|||cleaner|||REQUIRED|||-NONE-|||0
A 9 10|||Wci|||than|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 6 8|||Wform|||cleaner|||REQUIRED|||-NONE-|||1
A 9 11|||Wci|||than those|||REQUIRED|||-NONE-|||1

S I could n't come to your party because of I was ill .
A 8 9|||Trans||||||REQUIRED|||-NONE-|||0
A 8 9|||Trans||||||REQUIRED|||-NONE-|||1

S Before to buy new laptop , you should compare the prices on different websites .
A 1 3|||Vform|||buying|||REQUIRED|||-NONE-|||0
A 3 3|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 1 2|||Pform|||you|||REQUIRED|||-NONE-|||1
A 3 3|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 9 10|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 12 13|||Wci|||several|||REQUIRED|||-NONE-|||1

S The museum is closed on Mondays , so we will have to come back another day .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S In my school exist many clubs where students can develop they talents .
A 3 4|||Wci|||there are|||REQUIRED|||-NONE-|||0
A 10 11|||Pform|||their|||REQUIRED|||-NONE-|||0
A 0 4|||WOinc|||My school has|||REQUIRED|||-NONE-|||1
A 10 11|||Pform|||their|||REQUIRED|||-NONE-|||1

S The company where I am working now offer to its employees many benefits , for example free lunch , gym and English lessons , but the salary is not so high than in other companies .
A 7 8|||SVA|||offers|||REQUIRED|||-NONE-|||0
A 8 9|||Prep||||||REQUIRED|||-NONE-|||0
A 17 18|||Nn|||lunches|||REQUIRED|||-NONE-|||0
A 19 19|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 31 32|||Wci|||as|||REQUIRED|||-NONE-|||0
A 4 6|||Vt|||work|||REQUIRED|||-NONE-|||1
A 7 13|||WOinc|||offers many benefits to its employees|||REQUIRED|||-NONE-|||1
A 14 16|||Trans|||such as|||REQUIRED|||-NONE-|||1
A 17 18|||Nn|||lunches|||REQUIRED|||-NONE-|||1
A 19 19|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 29 30|||Wci|||as|||REQUIRED|||-NONE-|||1
A 31 32|||Wci|||as|||REQUIRED|||-NONE-|||1

S At the morning I drink cup of tea and read the news in my phone .
A 0 1|||Prep|||In|||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 12 13|||Prep|||on|||REQUIRED|||-NONE-|||0
A 0 2|||Wci|||Every|||REQUIRED|||-NONE-|||1
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 12 13|||Prep|||on|||REQUIRED|||-NONE-|||1

S Everyone has opinion about social media , but nobody can denied their influence on our dayly life .
A 2 2|||ArtOrDet|||an|||REQUIRED|||-NONE-|||0
A 10 11|||Vform|||deny|||REQUIRED|||-NONE-|||0
A 15 16|||Mec|||daily|||REQUIRED|||-NONE-|||0
A 2 2|||ArtOrDet|||an|||REQUIRED|||-NONE-|||1
A 10 11|||Vform|||deny|||REQUIRED|||-NONE-|||1
A 15 17|||Nn|||daily lives|||REQUIRED|||-NONE-|||1

S Who did you speak to at the party ?
A 0 1|||Pform|||Whom|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S At the end of the day we were tired but happy .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||1

S My father always say that the health is more important than the money .
A 3 4|||SVA|||says|||REQUIRED|||-NONE-|||0
A 5 6|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 11 12|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 3 4|||SVA|||says|||REQUIRED|||-NONE-|||1
A 5 6|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 11 12|||ArtOrDet||||||REQUIRED|||-NONE-|||1

S Because of the strong rain , less people came to the concert than we was expecting .
A 3 4|||Wci|||heavy|||REQUIRED|||-NONE-|||0
A 6 7|||Wci|||fewer|||REQUIRED|||-NONE-|||0
A 14 15|||SVA|||were|||REQUIRED|||-NONE-|||0
A 3 4|||Wci|||heavy|||REQUIRED|||-NONE-|||1
A 14 16|||Vt|||had expected|||REQUIRED|||-NONE-|||1

S I often feel boring in class .
A 3 4|||Wform|||bored|||REQUIRED|||-NONE-|||0
A 3 4|||Wform|||bored|||REQUIRED|||-NONE-|||1

S Could you please send me the documents until Friday ?
A 7 8|||Prep|||by|||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||by|||REQUIRED|||-NONE-|||1

S The team are playing very well this season .
A 2 3|||SVA|||is|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S There is less traffic on Sundays , so we can get there quicker .
A 12 13|||Wform|||more quickly|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

